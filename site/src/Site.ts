/** Builds the site: the documents and the API of the packages, by TypeDoc. */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import {
  Application,
  Comment,
  type Context,
  Converter,
  type DeclarationReflection,
  DocumentReflection,
  MarkdownEvent,
  normalizePath,
  type ProjectReflection,
  ReflectionKind,
  type TypeDocOptions
} from "typedoc"
import * as Docstring from "../../reference/src/Docstring.ts"
import * as Documents from "./Documents.ts"
import * as Headings from "./Headings.ts"
import * as Theme from "./Theme.ts"

const { root } = Documents

const packages = ["core", "reconcile", "report", "archive", "sandbox"]

export const out = join(import.meta.dirname, "../dist")

const options = {
  name: "Tallystick",
  entryPointStrategy: "packages",
  entryPoints: packages.map((name) => join(root, "packages", name)),
  projectDocuments: Documents.all.filter((document) => !Documents.isProgram(document)).map(({ path }) =>
    join(root, path)
  ),
  readme: join(root, Documents.INDEX),
  packageOptions: {
    entryPoints: ["src/*.ts"],
    exclude: ["src/index.ts"],
    excludeExternals: true,
    disableSources: true,
    validation: { notExported: false }
  },
  groupOrder: [...Documents.titles.slice(0, -2), Theme.MODULES, Documents.FURTHER, Documents.PROGRAMS, "*"],
  sortEntryPoints: false,
  navigation: { includeGroups: false, includeCategories: false, includeFolders: false },
  includeHierarchySummary: false,
  searchGroupBoosts: Object.fromEntries(Documents.titles.slice(0, -2).map((title) => [title, 4])),
  searchInDocuments: true,
  searchInComments: true,
  githubPages: false,
  hideGenerator: true,
  theme: "tallystick",
  customCss: join(import.meta.dirname, "site.css"),
  markdownItLoader: Headings.load,
  highlightLanguages: [
    "bash",
    "console",
    "css",
    "html",
    "ini",
    "javascript",
    "json",
    "nginx",
    "sql",
    "typescript",
    "yaml"
  ],
  ignoredHighlightLanguages: ["crontab"],
  out
} satisfies Partial<TypeDocOptions>

/** Gives a document the name of its heading, and its section. */
const place = (project: ProjectReflection, document: DocumentReflection): void => {
  const file = project.files.getReflectionPath(document)
  const found = Documents.all.find(({ path }) => join(root, path) === file)
  if (found === undefined) return
  document.name = Documents.nameOf(found.path)
  document.frontmatter["group"] = found.section
}

/** Adds the programs as documents, because TypeDoc would only let them be downloaded. */
const addPrograms = (project: ProjectReflection): void => {
  for (const { path, section } of Documents.all.filter(Documents.isProgram)) {
    const text = `\`\`\`ts\n${readFileSync(join(root, path), "utf8")}\`\`\``
    const document = new DocumentReflection(path, project, [{ kind: "code", text }], { group: section })
    project.addChild(document)
    project.registerReflection(document, undefined, normalizePath(join(root, path)))
  }
}

/** Gives a module the docstring of its file, which TypeDoc takes for one of a module only where a tag says so. */
const describe = (context: Context, module: DeclarationReflection): void => {
  const [file] = context.getSymbolFromReflection(module)?.declarations ?? []
  const text = file === undefined ? "" : Docstring.ofFile(file.getSourceFile().text)
  if (text !== "") module.comment ??= new Comment([{ kind: "text", text }])
}

/** A file of this repository, as what is packed names it. */
const repository = /https:\/\/github\.com\/example\/tallystick\/blob\/main\/([^\s)#]+)/g

/** Links of the readmes of packages lead to the documents of the site. */
const localize = (app: Application, project: ProjectReflection, event: MarkdownEvent): void => {
  event.parsedText = event.parsedText.replaceAll(repository, (whole: string, path: string) => {
    const document = project.getReflectionsByKind(ReflectionKind.Document)
      .find((document) => project.files.getReflectionPath(document) === join(root, path))
    const { router } = app.renderer
    return document === undefined || router === undefined ? whole : router.relativeUrl(event.page.model, document)
  })
}

/** Writes the site into `out`; `false` where TypeDoc found an error or had to warn. */
export const build = async (): Promise<boolean> => {
  process.chdir(root)
  const app = await Application.bootstrapWithPlugins(options)
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (context: Context, reflection) => {
    if (reflection.kindOf(ReflectionKind.Module)) describe(context, reflection)
  })
  app.on(Application.EVENT_PROJECT_REVIVE, addPrograms)
  app.converter.on(Converter.EVENT_CREATE_DOCUMENT, (_context, reflection) => {
    if (reflection.isDocument()) place(reflection.project, reflection)
  })
  app.renderer.defineTheme("tallystick", Theme.Theme)
  const project = await app.convert()
  if (project === undefined) return false
  app.validate(project)
  app.renderer.on(MarkdownEvent.PARSE, (event: MarkdownEvent) => localize(app, project, event), 100)
  await app.generateOutputs(project)
  return !app.logger.hasErrors() && !app.logger.hasWarnings()
}
