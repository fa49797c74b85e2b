import { isRecord, type JsonRecord, readArray, readRecord, readString } from "../shared/json/json-values";

/**
 * Describes the result of a tool that Anthropic ran itself, as text: the model should know what it read, but other
 * upstreams do not accept such a call.
 * @returns "" for a block without meaning to other vendors, undefined for every other block.
 */
export const describeServerBlock = (block: JsonRecord): string | undefined => {
  const type = readString(block.type);
  switch (type) {
    case "server_tool_use":
    case "mcp_tool_use":
    case "tool_search_tool_result":
      return "";
    case "compaction":
      return readString(block.content);
    case "web_search_tool_result":
      return describeFindings(block.content);
    default:
      return type.endsWith("_tool_result") ? `[A tool answered:\n${outcomeOf(block.content)}]` : undefined;
  }
};

const describeFindings = (content: unknown): string => {
  const found = readArray(content)
    .filter(isRecord)
    .map(({ title, url }) => `${readString(title)}, ${readString(url)}`);
  return found.length === 0 ? "" : `[The search found:\n${found.join("\n")}]`;
};

/** The words in a result, whatever its kind: output of programs, a fetched page, text. */
const outcomeOf = (content: unknown): string => {
  if (typeof content === "string") return content;
  if (Array.isArray(content))
    return content
      .map(outcomeOf)
      .filter((text) => text !== "")
      .join("\n");
  const { text, stdout, stderr, url, error_code, data, source, content: inner } = readRecord(content);
  return [text, url, stdout, stderr, error_code, data]
    .map(readString)
    .concat(
      isRecord(source) && source.type === "text" ? [outcomeOf(source)] : [],
      inner ? [outcomeOf(inner)] : [],
    )
    .filter((piece) => piece !== "")
    .join("\n");
};
