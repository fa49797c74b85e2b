import type { User } from "@tollgate/accounts/users";
import type { AuditAction, AuditRecord } from "@tollgate/contract/records/audit-record";
import type { FastifyRequest } from "fastify";
import { OPERATOR_ADDRESS } from "../operator/operator";
import type { Services } from "./services";

/** Values of these fields are never stored; the limits of keys reveal nothing of a key. */
const SECRET_FIELD = /key(?!Rpm$|Tpm$|Concurrency$)|password|token|secret|proxy/i;

const withoutSecrets = (detail: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(detail)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, SECRET_FIELD.test(name) && value !== "" ? "***" : value]),
  );

/**
 * Records a change by an administrator, with the address and the details.
 * @param caller with the id 0 for the gateway itself. @param beneficiary the person whose account, money or price is concerned.
 */
export const audit = (
  { storage, addresses, operator, now }: Services,
  { caller, request }: { caller: Pick<User, "id" | "username">; request: FastifyRequest },
  action: AuditAction,
  target: string | number,
  detail: Record<string, unknown> = {},
  beneficiary?: AuditRecord["beneficiary"],
): Promise<void> =>
  storage.write.audit.add({
    createdAt: now(),
    userId: caller.id,
    username: caller.username,
    address: operator.makes(request.raw) ? OPERATOR_ADDRESS : addresses.of(request.raw),
    action,
    target: String(target),
    beneficiary: beneficiary && { id: beneficiary.id, username: beneficiary.username },
    detail: JSON.stringify(withoutSecrets(detail)),
  });
