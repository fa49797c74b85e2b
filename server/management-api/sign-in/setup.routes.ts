import { checkSetup, finishSetup } from "@tollgate/contract/api/setup";
import { Failure } from "../failure";
import { implement, type Route } from "../route";
import type { Services } from "../services";
import { startSession } from "../session";
import { checkPassword } from "./account-rules";
import { setRootPassword } from "./prepare-root";

/** Setting root's first password with the code of the link that the start printed. */
export const setupRoutes = (services: Services): Route[] => {
  const { rootSetup, accounts } = services;
  return [
    implement(checkSetup, ({ body }) => {
      const state = rootSetup.judge(body.code, Date.now());
      const userId = state === "open" ? rootSetup.pendingUserId : undefined;
      const user = userId === undefined ? undefined : accounts.users.find(userId);
      return { state, username: user?.username ?? "" };
    }),
    implement(finishSetup, async ({ body, request, reply }) => {
      const { code, password } = body;
      const userId = rootSetup.pendingUserId;
      const state = await rootSetup.use(code, Date.now(), async (id, passwordHash) => {
        // After the code: whoever has none learns that, and not the rules of passwords.
        checkPassword(password);
        await setRootPassword(accounts, id, password, passwordHash);
      });
      const user = userId === undefined ? undefined : accounts.users.find(userId);
      switch (state) {
        case "code-wrong":
          throw new Failure("setup-code-wrong");
        case "code-expired":
          throw new Failure("setup-code-expired");
        case "done":
          throw new Failure("setup-done");
        case "open":
          if (!user) throw new Failure("setup-done");
          return startSession(services, user, request, reply);
      }
    }),
  ];
};
