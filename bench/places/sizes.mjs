/** Where growing tables are measured: one database and one server of the product for each number of plans. */
import pg from "pg";
import { fill } from "../data/fill.mjs";
import { startProduct } from "../machinery/servers.mjs";

/**
 * @typedef {object} Size
 * @property {number} plans
 * @property {string} name How rows name it.
 * @property {import("../machinery/servers.mjs").Server} server
 * @property {import("pg").Client} sql
 *
 * @typedef {object} Sizes
 * @property {readonly Size[]} sizes The smallest first.
 * @property {() => Promise<void>} close
 */

/**
 * @param {import("../main.mjs").Run} run
 * @returns {Promise<Sizes>}
 */
export async function openSizes({ options, postgres, note }) {
  /** @type {Size[]} */
  const sizes = [];
  for (const plans of options.sizes) {
    const databaseUrl = await postgres.create(`size_${plans}`);
    const server = await startProduct({ databaseUrl });
    const began = performance.now();
    await fill(databaseUrl, { plans });
    const shown = plans.toLocaleString("en-US");
    note(`${shown} plans made in ${((performance.now() - began) / 1000).toFixed(1)} s`);
    const sql = new pg.Client(databaseUrl);
    await sql.connect();
    sizes.push({ plans, name: `${shown} plans`, server, sql });
  }
  return {
    sizes,
    async close() {
      for (const { plans, server, sql } of sizes) {
        await Promise.all([server.stop(), sql.end()]);
        await postgres.drop(`size_${plans}`);
      }
    },
  };
}
