import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Credentials, callApi, signIn, succeed } from "./client";
import { type ManagementWorld, PASSWORD, type Person, startManagementWorld } from "./management-world";

let world: ManagementWorld;

beforeAll(async () => {
  world = await startManagementWorld();
});

afterAll(() => world?.stop());

interface ShownSession {
  id: string;
  device: string;
  address: string;
  created_time: number;
  last_used_time: number;
  expires_time: number;
  is_current: boolean;
}

const call = (method: string, path: string, credentials: Credentials) =>
  callApi(world.url, method, path, undefined, credentials);

const list = (credentials: Credentials) =>
  succeed<ShownSession[]>(call("GET", "/api/user/sessions", credentials));

const isOpen = async (credentials: Credentials): Promise<boolean> =>
  (await call("GET", "/api/user/self", credentials)).body.success === true;

/** A person who is signed in on three devices. */
const onThreeDevices = async () => {
  const person = await world.newUser();
  const others = await Promise.all([1, 2].map(() => signIn(world.url, person.username, PASSWORD)));
  return { person, others };
};

const auditOf = async (person: Person) =>
  succeed<{ action: string; target: string }[]>(
    world.root.api("GET", `/api/audit?action=user.sign-out&target=${person.id}`),
  );

describe("one's own sign-ins", () => {
  it("are listed with device, address and times, without the cookie", async () => {
    const { person } = await onThreeDevices();
    const sessions = await list(person);
    expect(sessions).toHaveLength(3);
    const current = sessions.filter(({ is_current }) => is_current);
    expect(current).toHaveLength(1);
    expect(current[0]).toMatchObject({ address: "127.0.0.1" });
    for (const { created_time: created, last_used_time: used, expires_time: expires } of sessions) {
      expect(used).toBeGreaterThanOrEqual(created);
      expect(expires - created).toBe(30 * 86_400);
    }
    expect(JSON.stringify(sessions)).not.toContain(String(person.cookie).replace(/^session=/, ""));
  });

  it("end one by one, and not for another person", async () => {
    const { person, others } = await onThreeDevices();
    const stranger = await world.newUser();
    const other = (await list(person)).find(({ is_current }) => !is_current);
    const path = `/api/user/sessions/${other?.id}`;
    expect((await call("DELETE", path, stranger)).body).toMatchObject({ success: false });
    expect(await list(person)).toHaveLength(3);
    await succeed(call("DELETE", path, person));
    expect(await list(person)).toHaveLength(2);
    const open = await Promise.all([person, ...others].map(isOpen));
    expect(open.filter(Boolean)).toHaveLength(2);
    expect(open[0]).toBe(true);
  });

  it("end all but the calling one; with an access token, all", async () => {
    const { person, others } = await onThreeDevices();
    await succeed(call("DELETE", "/api/user/sessions", person));
    expect(await Promise.all([person, ...others].map(isOpen))).toEqual([true, false, false]);
    const token = await succeed<string>(call("GET", "/api/user/token", person));
    expect((await list({ token })).map(({ is_current }) => is_current)).toEqual([false]);
    await succeed(call("DELETE", "/api/user/sessions", { token }));
    expect(await Promise.all([isOpen(person), isOpen({ token })])).toEqual([false, true]);
  });
});

describe("an administrator", () => {
  it("signs a user out everywhere, with an audit line, and no user of an equal rank", async () => {
    const { person, others } = await onThreeDevices();
    const token = await succeed<string>(call("GET", "/api/user/token", person));
    const admin = await world.newAdmin();
    await succeed(call("DELETE", `/api/user/${person.id}/sessions`, admin));
    const after = await Promise.all([person, ...others, { token }].map(isOpen));
    expect(after).toEqual([false, false, false, false]);
    expect(await auditOf(person)).toHaveLength(1);
    const peer = await world.newAdmin();
    expect((await call("DELETE", `/api/user/${peer.id}/sessions`, admin)).body).toMatchObject({
      success: false,
      message: "无权更新同权限等级或更高权限等级的用户信息",
    });
    expect(await isOpen(peer)).toBe(true);
    await succeed(call("DELETE", `/api/user/${peer.id}/sessions`, world.root));
    expect(await isOpen(peer)).toBe(false);
  });
});
