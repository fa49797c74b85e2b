/// <reference types="vite/types/importMeta.d.ts" />
import { createHash } from "node:crypto";
import type { Redis } from "ioredis";

const FILES = import.meta.glob<string>("./*.lua", { query: "?raw", import: "default", eager: true });

const fileOf = (name: string): string => {
  const text = FILES[`./${name}.lua`];
  if (text === undefined) throw new Error(`there is no ${name}.lua`);
  return text;
};

export type ScriptName = "enter" | "leave" | "add" | "look" | "renew" | "spend";

/** Runs a script. @throws Error when the server does not answer in time, or refuses. */
export type RunScript = (
  name: ScriptName,
  keys: readonly string[],
  values: readonly (string | number)[],
) => Promise<unknown>;

/**
 * The scripts on one server. A script's text is sent once, and then called by its hash.
 * @param clock Lua that defines `now_ms`, the clock of all nodes.
 */
export const loadScripts = (redis: Pick<Redis, "evalsha" | "eval">, clock = fileOf("clock")): RunScript => {
  const common = [clock, fileOf("minute"), fileOf("under-way")];
  const load = (name: ScriptName): { text: string; sum: string } => {
    const text = [...common, fileOf(name)].join("\n");
    return { text, sum: createHash("sha1").update(text).digest("hex") };
  };
  const scripts = {
    enter: load("enter"),
    leave: load("leave"),
    add: load("add"),
    look: load("look"),
    renew: load("renew"),
    spend: load("spend"),
  };
  return async (name, keys, values) => {
    const { text, sum } = scripts[name];
    try {
      return await redis.evalsha(sum, keys.length, ...keys, ...values);
    } catch (error) {
      if (!(error instanceof Error && error.message.startsWith("NOSCRIPT"))) throw error;
      return await redis.eval(text, keys.length, ...keys, ...values);
    }
  };
};
