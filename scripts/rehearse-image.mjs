// Does what the Dockerfile says, without Docker: `node scripts/rehearse-image.mjs`. It builds what .dockerignore lets in
// of HEAD in a folder of its own by the RUN lines of the first stage, copies what the second one copies, makes that read-only, and runs it as
// another user (under root) with one writable folder for data: ready and healthy, filled, stopped by SIGTERM, and
// started again with what was in it.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { imageContext } from "./image-context.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
const port = process.env.PORT ?? "4199";
const url = `http://127.0.0.1:${port}`;
const isRoot = process.getuid?.() === 0;
const user = isRoot ? { uid: 1000, gid: 1000 } : {};

const isLetIn = imageContext(await readFile(join(root, ".dockerignore"), "utf8"));

const home = await mkdtemp(join(tmpdir(), "phaseline-image-"));
try {
  await chmod(home, 0o755);
  const [build, image, data] = ["build", "image", "data"].map((name) => join(home, name));
  if (!build || !image || !data) throw new Error("There is a folder for each.");
  const [first = "", second = ""] = (await readFile(join(root, "Dockerfile"), "utf8"))
    .split(/^FROM .*$/m)
    .slice(1);

  await mkdir(build);
  const tracked = execFileSync("git", ["ls-files", "-z"], { cwd: root, encoding: "utf8" }).split("\0");
  const context = tracked.filter((file) => file !== "" && isLetIn(file));
  execFileSync("sh", ["-c", 'git archive HEAD "$@" | tar -x -C "$0"', build, ...context], { cwd: root });
  for (const command of lines(first, "RUN")) {
    console.log(`RUN ${command}`);
    execFileSync("sh", ["-c", command], { cwd: build, stdio: ["ignore", "ignore", "inherit"] });
  }
  for (const copy of lines(second, "COPY --from=build")) {
    const [from = "", to = ""] = copy.split(" ");
    const source = from.replace("/app/", "");
    await cp(join(build, source), join(image, to === "./" ? source : to), {
      recursive: true,
      verbatimSymlinks: true,
    });
  }
  await rm(build, { recursive: true });
  // As in an image, whose files are those of root: what only the owner may read is out of the user's reach.
  execFileSync("chmod", ["-R", "a-w", image]);
  await mkdir(data);
  if (isRoot) execFileSync("chown", ["1000:1000", data]);

  const settings = Object.fromEntries(
    lines(second, "ENV").flatMap((line) => line.split(" ").map((setting) => setting.split("="))),
  );
  const env = {
    PATH: process.env.PATH,
    ...settings,
    PORT: port,
    PHASELINE_DATA_DIR: data,
    LOG_LEVEL: "warn",
  };
  const [node = "", ...args] = JSON.parse(lines(second, "CMD")[0] ?? "[]");
  const health = JSON.parse((lines(second, "HEALTHCHECK")[0] ?? "").replace(/^.* CMD /, ""));

  for (const start of ["first", "second"]) {
    const began = Date.now();
    const server = spawn(node, args, { cwd: image, env, stdio: "inherit", ...user });
    const closed = once(server, "close");
    while (!(await answers("/ready"))) {
      if (server.exitCode !== null) throw new Error("The server did not start.");
      await pause(50);
    }
    console.log(`${start} start: ready after ${Date.now() - began} ms`);
    execFileSync(health[0], health.slice(1), { env });
    if (start === "first")
      execFileSync(node, ["dist/demo/main.js", url], { cwd: image, env, stdio: "ignore" });
    console.log(`it has ${await countPlans()} plans, and is healthy`);
    server.kill("SIGTERM");
    const [code] = await closed;
    console.log(`exit code after SIGTERM: ${code}`);
    if (code !== 0) throw new Error("The server did not stop in good order.");
  }
} finally {
  execFileSync("chmod", ["-R", "u+w", home]);
  await rm(home, { recursive: true, force: true });
}

/**
 * What follows an instruction in a part of the Dockerfile, each time that it stands there.
 * @param {string} part
 * @param {string} instruction
 */
function lines(part, instruction) {
  return part
    .split("\n")
    .filter((line) => line.startsWith(`${instruction} `))
    .map((line) => line.slice(instruction.length + 1));
}

/** @param {string} path */
function answers(path) {
  return fetch(`${url}${path}`).then(
    ({ ok }) => ok,
    () => false,
  );
}

async function countPlans() {
  const response = await fetch(`${url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ query: "{ planCounts { total } }" }),
  });
  const { data } = await response.json();
  return data.planCounts.total;
}
