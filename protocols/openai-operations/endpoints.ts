import type { Asked, Endpoint, PathParts } from "@tollgate/contract/relay/client-api";
import { embeddings } from "./embeddings";
import { OPERATIONS } from "./openai-operations";

/** The address of embeddings before models stood in the body (contract section 1.11). */
const askedOfEngine = ({ model = "" }: PathParts): Asked | undefined => {
  try {
    return model === ""
      ? undefined
      : { kind: "operation", operation: embeddings, model: decodeURIComponent(model) };
  } catch {
    return undefined;
  }
};

/** Where clients ask for what is no chat. */
export const OPERATION_ENDPOINTS: readonly Endpoint[] = [
  ...Object.values(OPERATIONS).map(
    (operation): Endpoint => ({
      method: "POST",
      path: `/v1/${operation.name}`,
      asked: { kind: "operation", operation },
    }),
  ),
  { method: "POST", path: "/v1/engines/:model/embeddings", asked: askedOfEngine },
];
