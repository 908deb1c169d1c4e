/**
 * Bundles the command, packs it, and has npm install it globally: `npx --yes pnpm@12 install-command`. Where the machine's Node
 * is too old for the command, it gets a copy of the Node that this program runs on.
 */
import { execFileSync } from "node:child_process"
import { chmodSync, copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { delimiter, dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const workspace = fileURLToPath(new URL("..", import.meta.url))
const isWindows = process.platform === "win32"

/** Without the tools that pnpm puts before the machine's own: npm installs where its Node is. */
const path = (process.env["PATH"] ?? "").split(delimiter)
  .filter((folder) => !/[\\/]node_modules[\\/]/.test(folder) && !folder.endsWith("node-gyp-bin"))
  .join(delimiter)

const machine = { encoding: "utf8", env: { ...process.env, PATH: path }, shell: isWindows } as const

/** Returns what a program of the machine prints. */
const said = (program: string, args: ReadonlyArray<string>): string => execFileSync(program, args, machine).trim()

/** Without this, npm would warn that the machine's Node is too old for the command; the code below takes care of that. */
const quiet = "--loglevel=error"

/** Runs a program and shows what it prints. */
const run = (program: string, args: ReadonlyArray<string>, more: object = {}): void => {
  execFileSync(program, args, { cwd: workspace, shell: isWindows, stdio: "inherit", ...more })
}

/** Whether a version of Node is new enough for the command. */
const isNewEnough = (version: string): boolean => {
  const [major = 0, minor = 0] = version.replace("v", "").split(".").map(Number)
  return major > 22 || (major === 22 && minor >= 19)
}

/** The first line of a program that npm links, which names its interpreter. */
const runBy = (program: string, node: string): void => {
  const [, ...lines] = readFileSync(program, "utf8").split("\n")
  writeFileSync(program, [`#!${node}`, ...lines].join("\n"))
}

const folder = mkdtempSync(join(tmpdir(), "tallystick-install-"))
try {
  run("pnpm", ["--filter", "@tallystick/report", "--filter", "@tallystick/console", "page"])
  run("pnpm", ["--filter", "@tallystick/cli", "bundle"])
  run("node", ["packaging/sbom.ts", "cli"])
  run("pnpm", ["--filter", "@tallystick/cli", "pack", "--out", join(folder, "tallystick.tgz")], {
    stdio: ["ignore", "ignore", "inherit"]
  })
  run("npm", ["install", "--global", quiet, "--no-audit", "--no-fund", join(folder, "tallystick.tgz")], {
    env: machine.env
  })
} finally {
  rmSync(folder, { recursive: true, force: true })
}

const prefix = said("npm", ["prefix", "--global", quiet])
const installed = join(said("npm", ["root", "--global", quiet]), "@tallystick/cli")
const version = said("node", ["--version"])
const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

if (isNewEnough(version)) {
  say(`tallystick runs on this machine's Node ${version}`)
} else if (isWindows) {
  say(`tallystick is installed, but needs Node 22.19 or newer; this machine's is ${version}`)
} else {
  const node = join(installed, "dist/node")
  copyFileSync(process.execPath, node)
  chmodSync(node, 0o755)
  runBy(join(installed, "dist/bundle/main.js"), node)
  say(`tallystick runs on Node ${process.version}, which it keeps for itself; this machine's is ${version}`)
}

const command = isWindows ? join(prefix, "tallystick.cmd") : join(prefix, "bin/tallystick")
if (!existsSync(command)) throw new Error(`npm did not install ${command}`)
say(`installed: ${command}`)
if (!path.split(delimiter).includes(dirname(command))) say(`Put ${dirname(command)} into PATH to call it by its name.`)
