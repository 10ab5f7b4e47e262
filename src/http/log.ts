/** The process's log: JSON lines, or readable ones on a terminal. Nothing else writes to standard output. */
import { type Logger, pino } from "pino";
import pretty from "pino-pretty";
import type { Config } from "../config.js";

export type Log = Logger;

type Terminal = NodeJS.WritableStream & { readonly isTTY?: boolean };

export function createLog(config: Config["log"], destination: Terminal = process.stdout): Log {
  const forPeople = destination.isTTY && process.env.NODE_ENV !== "production";
  return pino({ level: config.level }, forPeople ? pretty({ destination, sync: true }) : destination);
}
