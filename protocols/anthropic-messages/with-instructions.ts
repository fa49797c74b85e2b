import type { ClientProtocol } from "@tollgate/contract/relay/protocol";
import { beforeText, hasInstructions } from "../shared/messages/before-text";

/** Instructions in the field `system`. */
export const withInstructions: ClientProtocol["withInstructions"] = (body, text, isFirst) =>
  hasInstructions(body.system) && !isFirst
    ? body
    : { ...body, system: beforeText(text, body.system, (part) => ({ type: "text", text: part })) };
