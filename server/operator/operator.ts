import type { IncomingMessage } from "node:http";
import type { User, Users } from "@tollgate/accounts/users";
import { ACTS_FOR_HEADER } from "./operator-socket";

/** The local operator: who has the machine that has the data, and so may do what root may. */
export interface Operator {
  /** Whether a request comes from there. */
  makes(request: IncomingMessage): boolean;
  /** Who it acts for: the user that it names, else root. undefined where there is none. */
  actsFor(request: IncomingMessage): User | undefined;
}

/** What the audit has for an address. */
export const OPERATOR_ADDRESS = "local operator";

/**
 * @param isOperators whether a request came over the operator's socket.
 * @param rootId root's number; undefined where there is no root.
 */
export const createOperator = (
  isOperators: (request: IncomingMessage) => boolean,
  users: Pick<Users, "find">,
  rootId: number | undefined,
): Operator => ({
  makes: isOperators,
  actsFor({ headers }) {
    const named = headers[ACTS_FOR_HEADER];
    const id = named === undefined ? rootId : Number(named);
    return id === undefined ? undefined : users.find(id);
  },
});
