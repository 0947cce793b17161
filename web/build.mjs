// Makes the page of `hypermile report`: one HTML file, into which the command puts the data.
//   node build.mjs OUTPUT    esbuild and echarts are looked for from the working directory on
import { createRequire } from "node:module";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";

const here = fileURLToPath(new URL(".", import.meta.url));
const packages = join(process.cwd(), "node_modules");
const require = createRequire(pathToFileURL(join(process.cwd(), "package.json")));
const esbuild = require("esbuild");

function bundle(file, options) {
  const result = esbuild.buildSync({
    entryPoints: [join(here, file)],
    bundle: true,
    minify: true,
    write: false,
    charset: "utf8",
    legalComments: "none",
    logLevel: "warning",
    target: ["es2020"],
    nodePaths: [packages],
    ...options,
  });
  return result.outputFiles[0].text.trim();
}

// echarts asks for no licence in its output, but its licence (Apache 2.0) does.
const notice =
  "/* With Apache ECharts and zrender, Apache License 2.0 and BSD-3-Clause: " +
  "https://echarts.apache.org */";

const parts = {
  "/* STYLE */": () => bundle("style.css", {}),
  "/* SCRIPT */": () => `${notice}\n${bundle("source/main.js", { format: "iife" })}`,
};
let page = readFileSync(join(here, "page.html"), "utf8");
for (const [mark, text] of Object.entries(parts)) {
  if (!page.includes(mark)) throw new Error(`page.html has no ${mark}`);
  page = page.replace(mark, text); // called: "$" in what it returns means nothing
}
writeFileSync(process.argv[2], page);
