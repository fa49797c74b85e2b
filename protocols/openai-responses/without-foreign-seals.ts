import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { changeList } from "../shared/json/change-list";
import { isRecord } from "../shared/json/json-values";
import { isForeignSlot } from "../shared/messages/seal";

/** Removes reasoning that another vendor sealed: the API refuses content that it did not encrypt. */
export const withoutForeignSeals: ClientProtocol["withoutForeignSeals"] = (body) => {
  if (!Array.isArray(body.input)) return body;
  const input = changeList(body.input, (item) =>
    isRecord(item) && item.type === "reasoning" && isForeignSlot(item.encrypted_content) ? undefined : item,
  );
  return input === body.input ? body : { ...body, input };
};
