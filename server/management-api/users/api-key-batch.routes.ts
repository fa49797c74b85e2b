import { MAX_KEYS_PER_USER } from "@tollgate/accounts/api-keys";
import { KeyedMutex } from "@tollgate/accounts/keyed-mutex";
import type { User } from "@tollgate/accounts/users";
import {
  changeApiKeys,
  createApiKeys,
  type KeysBody,
  namesOfKeys,
} from "@tollgate/contract/api/api-key-batches";
import type { ApiKey } from "@tollgate/contract/api/api-keys";
import { TOKEN_DISABLED, TOKEN_ENABLED } from "@tollgate/contract/values/statuses";
import { checkChange, runBatch } from "../batch";
import { existing, Failure } from "../failure";
import { implement, type Route } from "../route";
import type { Services } from "../services";
import { withConflicts } from "../sign-in/account-rules";
import { checkTermsAccepted } from "../site/terms";
import {
  auditKey,
  changeKey,
  changeStatus,
  checkName,
  deleteKey,
  findOwn,
  type KeyContext,
  readKeyEdit,
  readNewKey,
} from "./api-key-edits";

/** Adds to the limit of a key. @throws Failure */
const addQuota = async (
  context: KeyContext,
  { userId, id, unlimitedQuota }: ApiKey,
  { quota = 0, operation = "" }: KeysBody,
): Promise<void> => {
  if (unlimitedQuota) throw new Failure("token-unlimited-cannot-add");
  const { keys } = context.services.accounts;
  const added = existing(await withConflicts(keys.grant(userId, id, quota, operation)));
  if (added !== 0) await auditKey(context, "token.add-quota", id, { quota: added });
};

/** Refuses a change that would be the same mistake in each key. @throws Failure */
const checkBody = (services: Services, caller: User, { action, change, quota, operation }: KeysBody) => {
  if (action === "edit") {
    if (Object.values(change ?? {}).every((value) => value === undefined))
      throw new Failure("invalid-parameter").at("change");
    // Whether a choice at a used up budget is right depends on each key.
    const { budgetModel: _model, budgetGroup: _group, ...common } = change ?? {};
    checkChange(() => readKeyEdit(services, caller, common));
  }
  if (action !== "add-quota") return;
  if (!quota) throw new Failure("invalid-parameter").at("quota");
  if (operation === undefined) throw new Failure("invalid-parameter").at("operation");
};

const changeOne = async (context: KeyContext, id: number, body: KeysBody): Promise<unknown> => {
  const { services, caller } = context;
  if (services.accounts.keys.findById(id)?.user.id !== caller.id) throw new Failure("record-not-found");
  if (body.action === "delete") return deleteKey(context, id);
  const key = await findOwn(services, caller.id, id);
  switch (body.action) {
    case "edit":
      return changeKey(context, key, readKeyEdit(services, caller, body.change ?? {}, key));
    case "enable":
      return changeStatus(context, key, TOKEN_ENABLED);
    case "disable":
      return changeStatus(context, key, TOKEN_DISABLED);
    case "add-quota":
      return addQuota(context, key, body);
  }
};

/** Many keys at once, always the caller's own. */
export const apiKeyBatchRoutes = (): Route[] => {
  // One change of a user's keys at a time: many long ones at once would occupy the database.
  const turns = new KeyedMutex<number>();
  return [
    implement(changeApiKeys, (context) => {
      const { services, caller, body, formatMessage } = context;
      checkBody(services, caller, body);
      const tools = {
        nameOf(id: number) {
          const key = services.accounts.keys.findById(id);
          return key?.user.id === caller.id ? key.name : "";
        },
        formatFailure: ({ key, params }: Failure) => formatMessage(key, params),
      };
      return turns.run(caller.id, () => runBatch(body.ids, tools, (id) => changeOne(context, id, body)));
    }),

    implement(createApiKeys, async (context) => {
      const { services, caller, body } = context;
      await checkTermsAccepted(services, caller);
      const names = namesOfKeys(body.name.trim(), body.count);
      for (const name of names) checkName(name);
      const key = readNewKey(services, caller, body);
      return turns.run(caller.id, async () => {
        const created = await services.accounts.keys.createAll(
          caller.id,
          names.map((name) => ({ ...key, name })),
        );
        if (!created) throw new Failure("token-too-many-new", { limit: MAX_KEYS_PER_USER });
        for (const { id, name } of created) await auditKey(context, "token.create", id, { name });
        return created;
      });
    }),
  ];
};
