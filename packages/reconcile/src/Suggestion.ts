/**
 * What a policy would have to say so that links which people made would not have been needed. It looks at links of one deposit and
 * one transfer that differ from the policy in one respect: the assets, the amounts, or the time.
 */
import * as Result from "effect/Result"
import * as Aliases from "./internal/suggest/Aliases.ts"
import * as Fees from "./internal/suggest/Fees.ts"
import * as Line from "./internal/suggest/Line.ts"
import * as Linked from "./internal/suggest/Linked.ts"
import * as Shapes from "./internal/suggest/Shape.ts"
import * as Tolerances from "./internal/suggest/Tolerances.ts"
import * as Windows from "./internal/suggest/Windows.ts"
import * as Policy from "./Policy.ts"
import type { PolicyError } from "./PolicyError.ts"

/** One deposit and one transfer that a person linked, and the number of that decision. */
export type Link = Linked.Link

/** What links have in common, as data: a code, and the figures. Amounts are decimal text, in units of the asset; times are ms. */
export type Shape = Shapes.Shape

/** So many links of one shape, at least, make a suggestion. */
export const FEWEST = Shapes.FEWEST

/** What a policy could say so that links are not needed. */
export interface Together {
  /** The keys of the policy file that change, each with the whole value that it then has. */
  readonly line: Policy.Policy
  /** The policy with that line. */
  readonly policy: Policy.Decoded
  /** The links that it allows, and that the policy without the line does not. */
  readonly links: ReadonlyArray<Link>
}

/** What a policy could say so that links which have something in common are not needed. */
export interface Suggestion extends Together {
  /** What the links have in common. */
  readonly shape: Shape
}

type Drafts = (policy: Policy.Policy, links: ReadonlyArray<Link>) => ReadonlyArray<Shapes.Draft>

const amounts: Drafts = (policy, links) => {
  const fees = Fees.drafts(policy, links)
  const taken = new Set(fees.flatMap(({ links }) => links))
  return [...fees, ...Tolerances.drafts(policy, links.filter((link) => !taken.has(link)))]
}

const drafts: Readonly<Record<Linked.Obstacle, Drafts>> = {
  asset: Aliases.drafts,
  amount: amounts,
  late: (policy, links) => Windows.drafts(policy, links, "late"),
  early: (policy, links) => Windows.drafts(policy, links, "early")
}

/** Makes suggestions of links that all have one obstacle. Where a line does not help some of its links, it is made for the others. */
const overcome = (
  policy: Policy.Decoded,
  links: ReadonlyArray<Link>,
  make: Drafts
): ReadonlyArray<Suggestion> =>
  make(policy, links).flatMap((draft) => {
    const { links, shape } = draft
    const line = Line.of(policy, draft)
    const decoded = Policy.decode({ ...policy, ...line })
    if (Result.isFailure(decoded)) return []
    const obstacles = Linked.obstacles(Policy.resolve(decoded.success))
    const allowed = links.filter((link) => obstacles(link).length === 0)
    return allowed.length === links.length
      ? [{ shape, line, policy: decoded.success, links }]
      : overcome(policy, allowed, make)
  })

/**
 * Finds what at least three links have in common, and the smallest change of the policy that allows them all. Each suggestion stands
 * for itself, and `together` puts several into one policy. Whether the engine then matches each of the links, or finds several answers, only a run can tell.
 */
export const find = (policy: Policy.Decoded, links: ReadonlyArray<Link>): ReadonlyArray<Suggestion> => {
  const obstacles = Linked.obstacles(Policy.resolve(policy))
  const single = (wanted: Linked.Obstacle) =>
    links.filter((link) => {
      const [first, ...others] = obstacles(link)
      return first === wanted && others.length === 0
    })
  return (["amount", "late", "early", "asset"] as const).flatMap((obstacle) =>
    overcome(policy, single(obstacle), drafts[obstacle])
  )
}

/**
 * Puts suggestions that `find` made of one policy into one line: the keys that several of them change have what each of them says.
 * Fails with a `PolicyError` where that is no policy. With all of them, the engine may find several answers where each alone has one.
 */
export const together = (
  policy: Policy.Decoded,
  suggestions: ReadonlyArray<Suggestion>
): Result.Result<Together, PolicyError> => {
  const line = suggestions.reduce<Policy.Policy>(
    (line, suggestion) => Object.assign({}, line, Line.of(Object.assign({}, policy, line), suggestion)),
    {}
  )
  return Result.map(Policy.decode({ ...policy, ...line }), (decoded) => ({
    line,
    policy: decoded,
    links: suggestions.flatMap(({ links }) => links)
  }))
}
