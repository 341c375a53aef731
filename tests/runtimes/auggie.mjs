// Runs the hook manager inside of auggie's own bundle: node auggie.mjs BUNDLE, the event as JSON on standard input.
// The bundle exports nothing, so a copy of it (beside it, for its imports) hands out the manager that it makes.
import fs from "node:fs"
import path from "node:path"
import { pathToFileURL } from "node:url"

const bundle = process.argv[2]
const text = fs.readFileSync(bundle, "utf8")
const made = /(\b[\w$]+)=([\w$]+)=>\{let ([\w$]+)=[\w$]+\(\2\);return\{initialize:async\(\)/.exec(text)
if (!made) throw new Error("no hook manager was found in this version")
const start = text.lastIndexOf("var ", made.index)
const copy = path.join(path.dirname(bundle), `guard-test-${process.pid}.mjs`)
const handed = `globalThis.__manager=(options)=>${made[1]}(options);`
fs.writeFileSync(copy, text.slice(0, start) + handed + text.slice(start))
const event = JSON.parse(fs.readFileSync(0, "utf8"))
const exit = process.exit
const write = process.stdout.write.bind(process.stdout)
process.exit = () => undefined
process.stdout.write = () => true // the program goes on to its own command line, which is not asked here
process.argv = [process.argv[0], copy, "--version"]
try {
  await import(pathToFileURL(copy).href)
  const manager = globalThis.__manager({ userHomeDir: process.env.HOME, workspaceRoot: process.cwd() })
  const { validationWarnings, config } = await manager.initialize()
  const { results } = await manager.executeHooks("PreToolUse", event)
  write(JSON.stringify({ warnings: validationWarnings, events: Object.keys(config.hooks), results }) + "\n")
} finally {
  fs.unlinkSync(copy)
  exit(0)
}
