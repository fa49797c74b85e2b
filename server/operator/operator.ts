import type { IncomingMessage } from "node:http";
import type { User, Users } from "@tollgate/accounts/users";
import { ACTS_FOR_HEADER } from "./operator-socket";

/** The local operator: a person on the machine with the data, who may therefore do everything that root may. */
export interface Operator {
  /** Whether the local operator sent a request. */
  makes(request: IncomingMessage): boolean;
  /** The user the operator acts for: the named one, else root. undefined if it does not exist. */
  actsFor(request: IncomingMessage): User | undefined;
}

/** The audit's address for the operator. */
export const OPERATOR_ADDRESS = "local operator";

/**
 * @param isOperators whether a request came over the operator's socket.
 * @param rootId root's number; undefined without a root user.
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
