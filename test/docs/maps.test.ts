/** The maps lead everywhere: each source file has its line, each decision its link, and no link leads nowhere. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const read = (file: string) => readFileSync(join(root, file), "utf8");

describe("ARCHITECTURE.md", () => {
  it("has a line for every file of the server, and for no other", () => {
    const mapped = read("ARCHITECTURE.md")
      .split(/^### `/m)
      .slice(1)
      .flatMap((section) => {
        const folder = section.slice(0, section.indexOf("`"));
        return [...section.matchAll(/^\| `([^`]+)`/gm)].map(([, file]) => `${folder}${file}`);
      });
    const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
      .filter((name) => name.endsWith(".ts") && !/^(database\/generated|demo)\//.test(name))
      .map((name) => `src/${name}`);
    expect(mapped.toSorted()).toEqual(files.toSorted());
  });
});

describe("the index of decisions", () => {
  it("links to every page", () => {
    const pages = readdirSync(join(root, "docs/decisions")).filter((name) => name !== "README.md");
    const linked = [...read("docs/decisions/README.md").matchAll(/\]\(([^)]+)\)/g)].map(([, page]) => page);
    expect(linked.toSorted()).toEqual(pages.toSorted());
  });
});

describe.each(["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "docs/decisions/README.md"])(
  "%s",
  (file) => {
    it("links to files that are there", () => {
      const links = [...read(file).matchAll(/\]\((?!https?:|#)([^)#]+)\)/g)].map(([, link = ""]) => link);
      expect(links.filter((link) => !existsSync(join(root, dirname(file), link)))).toEqual([]);
    });
  },
);
