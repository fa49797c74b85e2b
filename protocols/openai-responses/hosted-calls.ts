import { isRecord, type JsonRecord, readArray, readString } from "../shared/json/json-values";
import { shownValue } from "../shared/json/shown-value";
import { forModel } from "../shared/messages/for-model";

/**
 * Describes the work of a tool that OpenAI ran itself, as text: other upstreams cannot repeat its call, but the model
 * should know what it read.
 */
export const describeHostedCall = (item: JsonRecord): string => {
  switch (item.type) {
    case "mcp_call": {
      const outcome = readString(item.output) || readString(item.error);
      const call = `${readString(item.name)}(${readString(item.arguments)})`;
      return forModel`[Called ${call} on the server "${readString(item.server_label)}". It answered:\n${outcome}]`;
    }
    case "code_interpreter_call": {
      const logs = readArray(item.outputs)
        .map((output) => (isRecord(output) ? readString(output.logs) : ""))
        .join("");
      return forModel`[Ran this code:\n${readString(item.code)}\nIt printed:\n${logs}]`;
    }
    default: {
      const found = readArray(item.results)
        .filter(isRecord)
        .map((result) => `${readString(result.filename)}: ${readString(result.text)}`);
      const queries = readArray(item.queries).map(shownValue).join(", ");
      return [forModel`[Searched the files for: ${queries}.`, ...found].join("\n").concat("]");
    }
  }
};
