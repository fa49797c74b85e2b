import { RequestInvalid } from "@tollgate/contract/relay/protocol";

/**
 * Checks the calls and results of a conversation while it is parsed. Every vendor requires that the results of all
 * calls follow a turn with tool calls, so a broken history is refused here, with its path, instead of at each upstream
 * in turn.
 */
export interface ToolCallCheck {
  addCall(id: string, param: string): void;
  /** @throws RequestInvalid when no open call has this id. */
  addResult(id: string, param: string): void;
  hasOpenCalls(): boolean;
  /** The results are over: a turn without results comes, or the end. @throws RequestInvalid when calls are open. */
  close(): void;
}

/** Creates the check for one conversation. */
export const createToolCallCheck = (): ToolCallCheck => {
  /** Open call ids, with the path of each call. */
  const open = new Map<string, string>();
  return {
    addCall(id, param) {
      open.set(id, param);
    },
    addResult(id, param) {
      if (!open.delete(id)) {
        throw new RequestInvalid({ code: "result-without-call", id }, param);
      }
    },
    hasOpenCalls: () => open.size > 0,
    close() {
      for (const [id, param] of open) {
        throw new RequestInvalid({ code: "call-without-result", id }, param);
      }
    },
  };
};
