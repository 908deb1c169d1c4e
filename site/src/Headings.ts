/** Gives headings the anchors that GitHub gives them: TypeDoc leaves code out of an anchor and of the list of headings. */

/** A token of markdown-it, as far as it is looked at. */
interface Token {
  readonly type: string
  readonly content: string
  children: ReadonlyArray<Token> | null
}

interface State {
  readonly tokens: ReadonlyArray<Token>
  readonly Token: new(type: string, tag: string, nesting: number) => { content: string } & Token
}

export interface Parser {
  readonly core: { readonly ruler: { readonly push: (name: string, rule: (state: State) => void) => void } }
}

/** Writes code in a heading as text between tags, because TypeDoc makes the anchor of the text alone. */
export const load = (parser: Parser): void => {
  parser.core.ruler.push("code-in-headings", ({ Token, tokens }) => {
    const make = (type: string, content: string): Token => Object.assign(new Token(type, "", 0), { content })
    tokens.forEach((token, index) => {
      if (tokens[index - 1]?.type !== "heading_open" || token.children === null) return
      token.children = token.children.flatMap((child) =>
        child.type === "code_inline"
          ? [make("html_inline", "<code>"), make("text", child.content), make("html_inline", "</code>")]
          : [child]
      )
    })
  })
}
