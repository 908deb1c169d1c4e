/** Draws deposits above and transfers below, time to the right, and lines between entries that belong together. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as Scene from "./Scene.ts"
import * as Svg from "./Svg.ts"

export interface Link {
  readonly deposit: string
  readonly transfer: string
  readonly tone: Svg.Tone
}

export interface Lanes {
  readonly x: number
  readonly y: number
  readonly width: number
  /** Minutes at the left and the right end. */
  readonly from: number
  readonly to: number
  readonly scene: Scene.Scene
  readonly links: ReadonlyArray<Link>
  /** The entries that stay alone: they are wrongly called missing, or are open. */
  readonly alone?: ReadonlyArray<string>
  /** The text beside them. */
  readonly sign?: "cross" | "question"
  /** Whether amounts stand beside the entries. */
  readonly amounts?: boolean
}

const DEPOSITS = 28
const TRANSFERS = 84

const tones: Readonly<Record<Outcome.Kind, Svg.Tone>> = {
  matched: "match",
  discrepancy: "break",
  pending: "doubt",
  undetermined: "doubt",
  "set-aside": "muted"
}

/** Returns what the engine says of a scene, as links. A class connects all entries with all, in doubt. */
export const linksOf = (scene: Scene.Scene): ReadonlyArray<Link> =>
  Scene.outcomes(scene).flatMap(({ code, deposits, outcome, transfers }) =>
    deposits.flatMap((deposit) =>
      transfers.map((transfer) => ({
        deposit: deposit.id,
        transfer: transfer.id,
        tone: code === "class-balanced" ? "doubt" as const : tones[outcome]
      }))
    )
  )

const cross = (x: number, y: number): string =>
  Svg.line([x - 5, y - 5], [x + 5, y + 5], "break") + Svg.line([x - 5, y + 5], [x + 5, y - 5], "break")

const question = (x: number, y: number): string =>
  Svg.text(x, y + 6, "?", { tone: "doubt", anchor: "middle", strong: true, size: 17 })

export const draw = (
  { alone = [], amounts = false, from, links, scene, sign = "cross", to, width, x, y }: Lanes
): ReadonlyArray<string> => {
  const at = (minutes: number): number => x + (minutes - from) / (to - from) * width
  const place = (marks: ReadonlyArray<Scene.Mark>, id: string): number =>
    at(marks.find((one) => one.id === id)?.at ?? 0)
  const label = (mark: Scene.Mark): string => amounts ? mark.amount : mark.id
  const beside = sign === "cross" ? cross : question
  return [
    Svg.line([x, y + DEPOSITS], [x + width, y + DEPOSITS], "muted", "1 5"),
    Svg.line([x, y + TRANSFERS], [x + width, y + TRANSFERS], "muted", "1 5"),
    ...links.map(({ deposit, tone, transfer }) =>
      Svg.line(
        [place(scene.deposits, deposit), y + DEPOSITS],
        [place(scene.transfers, transfer), y + TRANSFERS],
        tone,
        tone === "match" ? undefined : "5 4"
      )
    ),
    ...scene.deposits.flatMap((mark) => [
      Svg.deposit(at(mark.at), y + DEPOSITS),
      Svg.text(at(mark.at), y + DEPOSITS - 13, label(mark), { anchor: "middle", tone: "deposit", size: 12 }),
      ...(alone.includes(mark.id) ? [beside(at(mark.at) + 17, y + DEPOSITS)] : [])
    ]),
    ...scene.transfers.flatMap((mark) => [
      Svg.transfer(at(mark.at), y + TRANSFERS),
      Svg.text(at(mark.at), y + TRANSFERS + 23, label(mark), { anchor: "middle", tone: "transfer", size: 12 }),
      ...(alone.includes(mark.id) ? [beside(at(mark.at) + 17, y + TRANSFERS)] : [])
    ])
  ]
}

/** Explains the round and the square marks. */
export const legend = (x: number, y: number): ReadonlyArray<string> => [
  Svg.deposit(x + 7, y - 4),
  Svg.text(x + 20, y, "deposit", { tone: "muted", size: 12 }),
  Svg.transfer(x + 85, y - 4),
  Svg.text(x + 98, y, "transfer", { tone: "muted", size: 12 })
]
