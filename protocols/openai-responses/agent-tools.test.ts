import { RequestInvalid } from "@tollgate/contract/relay/protocol";
import type { ChatRequest } from "@tollgate/contract/relay/request";
import type { StreamPart } from "@tollgate/contract/relay/stream";
import { NO_USAGE } from "@tollgate/contract/relay/usage";
import { startCpuClock } from "@tollgate/testkit/cpu-clock";
import { typesOf } from "@tollgate/testkit/openai-types";
import { describe, expect, it } from "vitest";
import { TEST_SUMMARY } from "../shared/testing/request-parts";
import { parseWritten, STAMP } from "../shared/testing/run-stream";
import { openaiResponses } from "./openai-responses";

/*
 * What agents send in this protocol today (seen from Codex 0.169): namespaces, tools of free text, tools that find
 * others, and the items of their calls.
 */

const parse = (fields: object): ChatRequest =>
  openaiResponses.parseRequest({ model: "m", input: "hi", ...fields }, TEST_SUMMARY);

const decide = (run: () => boolean): string => {
  try {
    return run() ? "translated" : "dropped";
  } catch (error) {
    if (error instanceof RequestInvalid && error.param !== undefined) return "refused";
    throw error;
  }
};

const PLAIN = { type: "function", name: "plain", parameters: { type: "object" }, strict: false };

/** An example of each tool, and what becomes of it elsewhere. */
const TOOLS: Readonly<Record<string, [decision: string, example: object]>> = {
  function: ["translated", { name: "f", parameters: {}, strict: true }],
  custom: ["translated", { name: "c" }],
  namespace: ["translated", { name: "n", description: "d", tools: [PLAIN] }],
  tool_search: ["translated", { execution: "client" }],
  local_shell: ["translated", {}],
  shell: ["translated", { environment: { type: "local" } }],
  apply_patch: ["translated", {}],
  web_search: ["translated", {}],
  web_search_2025_08_26: ["translated", {}],
  web_search_preview: ["translated", {}],
  web_search_preview_2025_03_11: ["translated", {}],
  image_generation: ["dropped", {}],
  file_search: ["refused", { vector_store_ids: ["v"] }],
  code_interpreter: ["refused", { container: { type: "auto" } }],
  mcp: ["refused", { server_label: "s" }],
  computer: ["refused", {}],
  computer_use_preview: ["refused", { display_height: 1, display_width: 1, environment: "linux" }],
};

const CALL = { type: "function_call", call_id: "1", name: "f", arguments: "{}" };
const done = (type: string, fields: object): object[] => [
  { type, id: "i1", call_id: "1", status: "completed", ...fields },
];

/** A history with each item, and what becomes of it elsewhere. */
const ITEMS: Readonly<Record<string, [decision: string, history: object[]]>> = {
  message: ["translated", [{ type: "message", role: "user", content: "hi" }]],
  function_call: ["translated", [CALL, { type: "function_call_output", call_id: "1", output: "x" }]],
  function_call_output: ["translated", [CALL, { type: "function_call_output", call_id: "1", output: [] }]],
  custom_tool_call: [
    "translated",
    [
      ...done("custom_tool_call", { name: "c", input: "x" }),
      { type: "custom_tool_call_output", call_id: "1", output: "y" },
    ],
  ],
  custom_tool_call_output: [
    "translated",
    [
      ...done("custom_tool_call", { name: "c", input: "x" }),
      { type: "custom_tool_call_output", call_id: "1", output: [{ type: "input_text", text: "y" }] },
    ],
  ],
  tool_search_call: [
    "translated",
    [
      ...done("tool_search_call", { execution: "client", arguments: { query: "q" } }),
      ...done("tool_search_output", { execution: "client", tools: [PLAIN] }),
    ],
  ],
  tool_search_output: ["translated", [{ type: "tool_search_output", call_id: null, tools: [PLAIN] }]],
  local_shell_call: [
    "translated",
    [
      ...done("local_shell_call", { action: { type: "exec", command: ["ls"], env: {} } }),
      { type: "local_shell_call_output", id: "i1", output: "x" },
    ],
  ],
  local_shell_call_output: [
    "translated",
    [
      ...done("local_shell_call", { action: { type: "exec", command: ["ls"], env: {} } }),
      { type: "local_shell_call_output", id: "1", output: "x" },
    ],
  ],
  shell_call: [
    "translated",
    [
      ...done("shell_call", { action: { commands: ["ls"] } }),
      ...done("shell_call_output", {
        output: [{ stdout: "a", stderr: "b", outcome: { type: "exit", exit_code: 2 } }],
      }),
    ],
  ],
  shell_call_output: [
    "translated",
    [
      ...done("shell_call", { action: { commands: ["ls"] } }),
      ...done("shell_call_output", { output: [{ stdout: "", stderr: "", outcome: { type: "timeout" } }] }),
    ],
  ],
  apply_patch_call: [
    "translated",
    [
      ...done("apply_patch_call", { operation: { type: "create_file", path: "a", diff: "+x" } }),
      ...done("apply_patch_call_output", { status: "completed" }),
    ],
  ],
  apply_patch_call_output: [
    "translated",
    [
      ...done("apply_patch_call", { operation: { type: "delete_file", path: "a" } }),
      ...done("apply_patch_call_output", { status: "failed", output: "no" }),
    ],
  ],
  reasoning: ["translated", [{ type: "reasoning", summary: [], encrypted_content: "e" }]],
  compaction: ["translated", [{ type: "compaction", encrypted_content: "e" }]],
  mcp_call: [
    "translated",
    [{ type: "mcp_call", id: "i1", name: "t", server_label: "s", arguments: "{}", output: "x" }],
  ],
  code_interpreter_call: [
    "translated",
    [{ type: "code_interpreter_call", id: "i1", code: "1", outputs: [] }],
  ],
  file_search_call: ["translated", [{ type: "file_search_call", id: "i1", queries: ["q"], results: [] }]],
  image_generation_call: ["translated", [{ type: "image_generation_call", id: "i1", result: "AAAA" }]],
  web_search_call: ["dropped", [{ type: "web_search_call", id: "i1", action: {}, status: "completed" }]],
  mcp_list_tools: ["dropped", [{ type: "mcp_list_tools", id: "i1", server_label: "s", tools: [] }]],
  mcp_approval_request: ["dropped", [{ type: "mcp_approval_request", id: "i1" }]],
  mcp_approval_response: ["dropped", [{ type: "mcp_approval_response", approve: true }]],
  computer_call: ["refused", [{ type: "computer_call", id: "i1" }]],
  computer_call_output: ["refused", [{ type: "computer_call_output", call_id: "1", output: {} }]],
  item_reference: ["refused", [{ type: "item_reference", id: "i1" }]],
  // Codex knows more than the SDK does.
  additional_tools: ["translated", [{ type: "additional_tools", role: "developer", tools: [PLAIN] }]],
  agent_message: [
    "translated",
    [{ type: "agent_message", author: "a", content: [{ type: "input_text", text: "x" }] }],
  ],
  context_compaction: ["translated", [{ type: "context_compaction", encrypted_content: "e" }]],
  configuration_update: ["dropped", [{ type: "configuration_update" }]],
  compaction_trigger: ["refused", [{ type: "compaction_trigger" }]],
};

describe("C1: every tool of the protocol", () => {
  it("is one that a decision was made about", () => {
    expect(typesOf("Tool").length).toBeGreaterThan(14);
    expect(typesOf("Tool").filter((type) => !(type in TOOLS))).toEqual([]);
  });

  it.each(Object.entries(TOOLS))("%s: %j", (type, [decision, example]) => {
    const outcome = decide(() => {
      const { tools, webSearch } = parse({ tools: [{ type, ...example }] });
      return tools.length > 0 || webSearch !== undefined;
    });
    expect(outcome).toBe(decision);
  });
});

describe("C1: every item of the input", () => {
  it("is one that a decision was made about", () => {
    expect(typesOf("ResponseInputItem").length).toBeGreaterThan(24);
    expect(typesOf("ResponseInputItem").filter((type) => !(type in ITEMS))).toEqual([]);
  });

  it.each(Object.entries(ITEMS))("%s: %j", (_, [decision, history]) => {
    const outcome = decide(() => {
      const { turns, tools } = parse({ input: [{ role: "user", content: "hi" }, ...history] });
      return turns.length > 1 || tools.length > 0 || (turns[0]?.parts.length ?? 0) > 1;
    });
    expect(outcome).toBe(decision);
  });
});

const GRAMMAR = { type: "grammar", syntax: "lark", definition: "start: patch" };
const REQUEST = {
  model: "m",
  tools: [
    { type: "function", name: "exec_command", parameters: { type: "object" }, strict: false },
    {
      type: "namespace",
      name: "mcp__files",
      description: "Files of the project.",
      tools: [
        { ...PLAIN, name: "read" },
        { type: "custom", name: "write", description: "Writes." },
      ],
    },
    { type: "custom", name: "apply_patch", description: "Edits.", format: GRAMMAR },
    { type: "tool_search", execution: "client", description: "Finds.", parameters: { type: "object" } },
    { type: "local_shell" },
    { type: "shell" },
    { type: "web_search", external_web_access: true },
  ],
  input: [
    { type: "additional_tools", role: "developer", tools: [{ ...PLAIN, name: "late" }] },
    { role: "user", content: "go" },
  ],
};

describe("C1: the tools of an agent", () => {
  it("are functions with flat names elsewhere", () => {
    const { tools, webSearch } = parse(REQUEST);
    expect(tools.map(({ name }) => name)).toEqual([
      "exec_command",
      "mcp__files__read",
      "mcp__files__write",
      "apply_patch",
      "tool_search",
      "local_shell",
      "shell",
      "late",
    ]);
    expect(tools[1]?.description).toContain("Files of the project.");
    expect(tools[3]?.description).toContain("start: patch");
    expect(tools[3]?.parameters).toMatchObject({ required: ["input"] });
    expect(webSearch).toEqual({});
    const cached = { type: "web_search", external_web_access: false };
    expect(parse({ tools: [cached] }).webSearch).toBeUndefined();
  });

  it("keep apart tools that would share a name, and fit into the limits of every vendor", () => {
    const long = "x".repeat(70);
    const { tools } = parse({
      tools: [
        { ...PLAIN, name: "a__b" },
        { type: "namespace", name: "a", tools: [{ ...PLAIN, name: "b" }] },
        { ...PLAIN, name: long },
        { ...PLAIN, name: `${long}y` },
        { ...PLAIN, name: "dotted.name" },
      ],
    });
    const names = tools.map(({ name }) => name);
    expect(new Set(names).size).toBe(5);
    for (const name of names) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/);
  });

  it("are named in no time, whatever their namespace is called", () => {
    const workedMs = startCpuClock();
    const name = `${"_".repeat(100_000)}a`;
    expect(parse({ tools: [{ type: "namespace", name, tools: [PLAIN] }] }).tools).toHaveLength(1);
    expect(workedMs()).toBeLessThan(1000);
  });

  it("come back under the client's names, whole and streamed", () => {
    const calls: [name: string, text: string, item: object][] = [
      [
        "exec_command",
        '{"cmd":"ls"}',
        { type: "function_call", name: "exec_command", arguments: '{"cmd":"ls"}' },
      ],
      [
        "mcp__files__read",
        "",
        { type: "function_call", name: "read", namespace: "mcp__files", arguments: "{}" },
      ],
      [
        "mcp__files__write",
        '{"input":"a\\n\\"b\\" 你好"}',
        { type: "custom_tool_call", name: "write", namespace: "mcp__files", input: 'a\n"b" 你好' },
      ],
      [
        "apply_patch",
        '{"patch":"*** Begin"}',
        { type: "custom_tool_call", name: "apply_patch", input: "*** Begin" },
      ],
      [
        "tool_search",
        '{"query":"q"}',
        { type: "tool_search_call", execution: "client", arguments: { query: "q" } },
      ],
      [
        "local_shell",
        '{"command":["ls","-l"]}',
        { type: "local_shell_call", action: { type: "exec", command: ["ls", "-l"], env: {} } },
      ],
      ["shell", '{"commands":["ls"]}', { type: "shell_call", action: { commands: ["ls"] } }],
      ["late", "{}", { type: "function_call", name: "late", arguments: "{}" }],
    ];
    const stamp = { ...STAMP, request: REQUEST };
    const whole = openaiResponses.encodeResponse(
      {
        id: "1",
        model: "m",
        parts: calls.map(([name, text], index) => ({
          kind: "tool-call",
          id: `call_${index}`,
          name,
          arguments: text,
        })),
        finishReason: "tool-calls",
        usage: NO_USAGE,
      },
      stamp,
    );
    const items = calls.map(([, , item], index) => ({
      call_id: `call_${index}`,
      status: "completed",
      ...item,
    }));
    expect(whole).toMatchObject({ output: items });

    const writer = openaiResponses.createStreamWriter(stamp, false);
    const parts = calls.flatMap(([name, text], index): StreamPart[] => [
      { kind: "tool-call", index, id: `call_${index}`, name },
      ...Array.from(text, (piece): StreamPart => ({ kind: "tool-arguments", index, text: piece })),
    ]);
    const events = parseWritten(parts.map((part) => writer.push(part)).join("") + writer.end());
    expect(events.at(-1)?.data).toMatchObject({ type: "response.completed", response: { output: items } });
    const inputs = events.filter(({ event }) => event === "response.custom_tool_call_input.done");
    expect(inputs.map(({ data }) => data)).toMatchObject([{ input: 'a\n"b" 你好' }, { input: "*** Begin" }]);
    const ended = events.filter(({ event }) => event === "response.output_item.done");
    expect(ended.map(({ data }) => data)).toMatchObject(items.map((item) => ({ item })));
  });

  it("are called in the history by the names under which they are declared", () => {
    const { turns, tools } = parse({
      ...REQUEST,
      input: [
        { role: "user", content: "go" },
        { type: "function_call", call_id: "1", name: "read", namespace: "mcp__files", arguments: "{}" },
        { type: "custom_tool_call", call_id: "2", name: "apply_patch", input: "*** Begin" },
        { type: "tool_search_call", call_id: "3", execution: "client", arguments: { query: "q" } },
        { role: "developer", content: "in between" },
        { type: "function_call_output", call_id: "1", output: "one" },
        { type: "custom_tool_call_output", call_id: "2", output: "two" },
        {
          type: "tool_search_output",
          call_id: "3",
          tools: [{ type: "namespace", name: "found", tools: [{ ...PLAIN, name: "it" }] }],
        },
      ],
    });
    expect(turns.map(({ role }) => role)).toEqual(["user", "assistant", "user", "system"]);
    expect(turns[1]?.parts).toEqual([
      { kind: "tool-call", id: "1", name: "mcp__files__read", arguments: "{}" },
      { kind: "tool-call", id: "2", name: "apply_patch", arguments: '{"input":"*** Begin"}' },
      { kind: "tool-call", id: "3", name: "tool_search", arguments: '{"query":"q"}' },
    ]);
    expect(JSON.stringify(turns[2]?.parts)).toContain("found__it");
    expect(tools.map(({ name }) => name)).toContain("found__it");
  });

  it("can be demanded by the client's name", () => {
    const demanded = (tool_choice: unknown) => parse({ ...REQUEST, tool_choice });
    expect(demanded({ type: "custom", name: "apply_patch" }).toolChoice).toEqual({
      kind: "tool",
      name: "apply_patch",
    });
    expect(demanded({ type: "shell" }).toolChoice).toEqual({ kind: "tool", name: "shell" });
    expect(demanded({ type: "web_search" }).webSearch).toEqual({ isRequired: true });
    const some = demanded({
      type: "allowed_tools",
      mode: "required",
      tools: [
        { type: "namespace", name: "mcp__files" },
        { type: "custom", name: "apply_patch" },
      ],
    });
    expect(some.tools.map(({ name }) => name)).toEqual([
      "mcp__files__read",
      "mcp__files__write",
      "apply_patch",
    ]);
    expect(some.webSearch).toBeUndefined();
    expect(() => demanded({ type: "image_generation" })).toThrow("wrong-type");
  });

  it("never count for nothing: their content is part of the prompt", () => {
    const text = openaiResponses.promptText({
      ...REQUEST,
      input: [
        ...REQUEST.input,
        { type: "custom_tool_call", call_id: "1", name: "apply_patch", input: "a long patch" },
      ],
    }).text;
    expect(text).toContain("a long patch");
    expect(text).toContain("late");
  });
});
