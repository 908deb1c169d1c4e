/** One contender in a process of its own: a plan as the argument, its sample as one line of JSON. */
import * as All from "./contenders/All.ts"
import { measure, type Plan } from "./Measure.ts"

const plan: Plan = JSON.parse(process.argv[2] ?? "{}")
console.log(JSON.stringify(await measure(await All.load(plan.contender), plan)))
