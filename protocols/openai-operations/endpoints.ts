import type { Asked, Endpoint, PathParts } from "@tollgate/contract/relay/client-api";
import type { Operation } from "@tollgate/contract/relay/operation";
import { embeddings } from "./embeddings";
import { OPERATIONS } from "./openai-operations";

/** Reads the model of an address. */
const askedOf =
  (operation: Operation) =>
  ({ model = "" }: PathParts): Asked | undefined => {
    try {
      return model === "" ? undefined : { kind: "operation", operation, model: decodeURIComponent(model) };
    } catch {
      return undefined;
    }
  };

/** The endpoints of operations other than chats. */
export const OPERATION_ENDPOINTS: readonly Endpoint[] = [
  ...Object.values(OPERATIONS).flatMap((operation): Endpoint[] => [
    { method: "POST", path: `/v1/${operation.name}`, asked: { kind: "operation", operation } },
    // Azure's.
    {
      method: "POST",
      path: `/openai/deployments/:model/${operation.name}`,
      asked: askedOf(operation),
    },
  ]),
  // Before models stood in the body (contract section 1.11).
  { method: "POST", path: "/v1/engines/:model/embeddings", asked: askedOf(embeddings) },
];
