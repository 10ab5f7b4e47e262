/** The image is built of what .dockerignore lets in: all that the Dockerfile and the installation run must be there. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { imageContext } from "../../scripts/image-context.mjs";

const read = (file: string) => readFileSync(fileURLToPath(new URL(`../../${file}`, import.meta.url)), "utf8");

describe("the context of the image", () => {
  const isLetIn = imageContext(read(".dockerignore"));

  it("has every script that the Dockerfile or the installation runs", () => {
    const { scripts } = JSON.parse(read("package.json"));
    const commands = `${read("Dockerfile")}\n${scripts.postinstall}\n${scripts.build}`;
    const named = [...new Set(commands.match(/\bscripts\/[\w.-]+/g))];
    expect(named).toContain("scripts/generate-client.mjs");
    expect(named.filter((script) => !isLetIn(script))).toEqual([]);
  });

  it("has the sources and the migrations, and neither tests, secrets nor generated code", () => {
    const files = ["src/main.ts", "prisma/migrations/migration_lock.toml", "package.json"];
    expect(files.filter((file) => !isLetIn(file))).toEqual([]);
    const others = ["test/main.test.ts", ".env", "src/database/generated/client.ts", "scripts/soak.mjs"];
    expect(others.filter(isLetIn)).toEqual([]);
  });
});
