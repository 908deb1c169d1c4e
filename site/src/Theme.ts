/** TypeDoc's own theme, whose navigation has the sections of the index. */
import { DefaultTheme, type NavigationElement, type ProjectReflection } from "typedoc"

/** The title of TypeDoc for the group of the packages. */
export const MODULES = "Modules"

export class Theme extends DefaultTheme {
  override buildNavigation(project: ProjectReflection): Array<NavigationElement> {
    const elements = new Map(super.buildNavigation(project).map((element) => [element.path, element]))
    return (project.groups ?? []).map(({ children, title }) => ({
      text: title === MODULES ? "API of the packages" : title,
      children: children.flatMap((child) => elements.get(this.router.getFullUrl(child)) ?? [])
    }))
  }
}
