/** Opens the console in the page. */
import { render } from "preact"
import { App } from "./App.tsx"
import * as Session from "./session/Session.ts"
// oxlint-disable import/no-unassigned-import
import "../../../report/page/src/styles/tokens.css"
import "../../../report/page/src/styles/base.css"
import "../../../report/page/src/styles/tag.css"
import "../../../report/page/src/styles/components.css"
import "../../../report/page/src/styles/charts.css"
import "./styles/frame.css"
import "./styles/overview.css"
import "./styles/controls.css"
import "./styles/items.css"

const page = document.querySelector("#page")

// The token is out of the address before anything else happens.
const token = Session.takeToken()

if (page !== null) render(<App token={token} />, page)
