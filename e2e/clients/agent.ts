/** What an agent is started for, and with. */
export interface Task {
  /** The gateway's base address, without a slash at the end. */
  url: string;
  /** "sk-…" */
  key: string;
  model: string;
  prompt: string;
  /** An empty folder that is the agent's home: its settings and its memory. */
  home: string;
  /** Where it works. */
  folder: string;
}

export interface Command {
  program: string;
  args: readonly string[];
  env: Readonly<Record<string, string>>;
}

/** A call of a tool, before it has an id. */
export interface ToolUse {
  name: string;
  arguments: Readonly<Record<string, unknown>>;
}

/** What the tasks can ask an agent to look at. */
export type FileKind = "note" | "picture" | "document";

/** A program that works for its user by calling a model, with one of its ways to speak to it. */
export interface Agent {
  /** As a title names it. */
  name: string;
  /** Packages of the registry that it consists of, each with its version. */
  packages: Readonly<Record<string, string>>;
  /**
   * Writes its settings into the home and says how it is started to do one task and end, without asking any person.
   * @param packages the folder in which its packages lie (a `node_modules`)
   */
  prepare(task: Task, packages: string): Command;
  /** The call by which it reads a file, in the words of the tools that it offered. @param path absolute */
  read(kind: FileKind, path: string): ToolUse;
  /** The files that it can give to a model without any person at the keyboard. */
  reads: readonly FileKind[];
  /** Upstreams whose seal on the reasoning it sends back, by their names in the table of tests. */
  keepsSealsOf: readonly string[];
  /** The only upstreams whose models it offers its tools, by their names in the table of tests; all when left out. */
  worksWith?: readonly string[];
}
