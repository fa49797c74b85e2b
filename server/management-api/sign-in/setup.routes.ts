import { checkSetup, finishSetup } from "@tollgate/contract/api/setup";
import { Failure } from "../failure";
import { implement, type Route } from "../route";
import { beginSignIn } from "../session";
import { checkPassword } from "./account-rules";
import { setRootPassword } from "./prepare-root";

/** Setting root's first password with the code of the link that the start printed. */
export const setupRoutes: Route[] = [
  implement(checkSetup, ({ services, body }) => {
    const state = services.rootSetup.judge(body.code, Date.now());
    const userId = state === "open" ? services.rootSetup.pendingUserId : undefined;
    const user = userId === undefined ? undefined : services.accounts.users.find(userId);
    return { state, username: user?.username ?? "" };
  }),
  implement(finishSetup, async ({ services, body, request, reply }) => {
    const { code, password } = body;
    const userId = services.rootSetup.pendingUserId;
    const state = await services.rootSetup.use(code, Date.now(), async (id, passwordHash) => {
      // Checked after the code: a person without a valid one learns that first, and not the password rules.
      checkPassword(password);
      await setRootPassword(services.accounts, id, password, passwordHash);
    });
    const user = userId === undefined ? undefined : services.accounts.users.find(userId);
    switch (state) {
      case "code-wrong":
        throw new Failure("setup-code-wrong");
      case "code-expired":
        throw new Failure("setup-code-expired");
      case "done":
        throw new Failure("setup-done");
      case "open":
        if (!user) throw new Failure("setup-done");
        return beginSignIn(services, user, request, reply);
    }
  }),
];
