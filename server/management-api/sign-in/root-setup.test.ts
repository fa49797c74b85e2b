import type { User } from "@tollgate/accounts/users";
import { ROLE_ROOT, ROLE_USER } from "@tollgate/contract/values/roles";
import { StorageConflict } from "@tollgate/storage/errors";
import { describe, expect, it } from "vitest";
import { RootSetup } from "./root-setup";
import { drawnCodes } from "./setup-codes";

const DAY_MS = 86_400_000;

const member = (id: number, role: User["role"]) => ({ id, role }) as User;
const root = member(1, ROLE_ROOT);

/** Of a process that is alone with its data. */
const newSetup = (allowsDefault = false, passwordHashOf = (): string => "") =>
  new RootSetup(allowsDefault, drawnCodes(), passwordHashOf);

describe("S4: the code of a set-up link", () => {
  it("is new with each start, and long", () => {
    const codes = new Set(Array.from({ length: 50 }, () => newSetup().open(1, 0)));
    expect(codes.size).toBe(50);
    for (const code of codes) expect(code).toMatch(/^[A-Za-z0-9]{32}$/);
  });

  it("is not kept: only its hash is", () => {
    const setup = newSetup();
    const code = setup.open(1, 0);
    expect(JSON.stringify(setup)).not.toContain(code);
  });

  it("is judged: right, wrong, too old", () => {
    const setup = newSetup();
    expect(setup.judge("", 0)).toBe("done");
    const code = setup.open(1, 1000);
    expect(setup.judge(code, 1000)).toBe("open");
    for (const wrong of ["", "x", code.slice(1), `${code}x`, code.toLowerCase() + code.toUpperCase()]) {
      expect(setup.judge(wrong, 1000)).toBe("code-wrong");
    }
    expect(setup.judge(code, 999 + DAY_MS)).toBe("open");
    expect(setup.judge(code, 1000 + DAY_MS)).toBe("code-expired");
    // A person without the code learns nothing of its age.
    expect(setup.judge("x", 1000 + DAY_MS)).toBe("code-wrong");
  });

  it("works once, also where another node sets a password in the same moment", async () => {
    const setup = newSetup();
    const code = setup.open(7, 0);
    const state = await setup.use(code, 0, (_, passwordHash) => {
      expect(passwordHash).toBe("");
      return Promise.reject(new StorageConflict("not-found"));
    });
    expect(state).toBe("done");
  });

  it("works once, for one of many that come at the same time", async () => {
    const setup = newSetup();
    const code = setup.open(7, 0);
    const done: number[] = [];
    const states = await Promise.all(
      Array.from({ length: 5 }, () =>
        setup.use(code, 0, async (userId) => {
          await Promise.resolve();
          done.push(userId);
        }),
      ),
    );
    expect(states).toEqual(["open", "done", "done", "done", "done"]);
    expect(done).toEqual([7]);
    expect(setup.judge(code, 0)).toBe("done");
    expect(setup.pendingUserId).toBeUndefined();
  });

  it("works again when setting the password has failed", async () => {
    const setup = newSetup();
    const code = setup.open(7, 0);
    await expect(setup.use(code, 0, () => Promise.reject(new Error("too short")))).rejects.toThrow(
      "too short",
    );
    expect(setup.pendingUserId).toBe(7);
    expect(await setup.use(code, 0, () => Promise.resolve())).toBe("open");
  });

  it("is done where another node has set the password", () => {
    let passwordHash = "none";
    const setup = newSetup(false, () => passwordHash);
    const code = setup.open(7, 0);
    passwordHash = "own";
    expect([setup.pendingUserId, setup.judge(code, 0)]).toEqual([undefined, "done"]);
  });

  it("does nothing when it is wrong or too old", async () => {
    const setup = newSetup();
    const code = setup.open(7, 0);
    const fail = () => Promise.reject(new Error("called"));
    expect(await setup.use("wrong", 0, fail)).toBe("code-wrong");
    expect(await setup.use(code, DAY_MS, fail)).toBe("code-expired");
  });
});

describe("S4: who may sign in with a right password", () => {
  it("is not root while root waits for its set-up", () => {
    const setup = newSetup(true);
    setup.open(1, 0);
    expect(setup.admits(root, "any password", true)).toBe(false);
    expect(setup.admits(member(2, ROLE_USER), "any password", false)).toBe(true);
  });

  it.each([
    [true, true, true],
    [true, false, false],
    [false, true, false],
    [false, false, false],
  ])("root with the default password: allowed %s, on this machine %s: %s", (allows, isLocal, expected) => {
    expect(newSetup(allows).admits(root, "123456", isLocal)).toBe(expected);
  });

  it("is root with its own password, and an ordinary user with any, from anywhere", () => {
    const setup = newSetup();
    expect(setup.admits(root, "its own password", false)).toBe(true);
    expect(setup.admits(member(2, ROLE_USER), "123456", false)).toBe(true);
  });
});
