import { NO_TERMS, TERMS_SUMMARY, termsSummary } from "@tollgate/contract/records/terms-record";
import { expect, it } from "vitest";
import { onEngine } from "../testing/on-engine";
import { MASTER_KEY, newUser } from "../testing/sample-records";
import { newPostgresStore } from "./testing/postgres-store";
import { newSqliteStore } from "./testing/sqlite-store";

const version = (number: number) => ({
  version: number,
  userAgreement: `Agreement ${number}`,
  privacyPolicy: "隐私政策",
  asksAgain: number === 1,
  author: "root",
  publishedAt: 100 + number,
});
const summary = (number: number) => ({ ...NO_TERMS, version: number, askedVersion: 1, hasAgreement: true });

it("keeps every version of the terms, the current one beside the options, and the first consent to each", async () => {
  const store = await onEngine({ sqlite: newSqliteStore, postgres: newPostgresStore })();
  const { changes, queries, close } = await store.open(MASTER_KEY);
  const { user } = await changes.users.create(newUser(), 0, []);
  expect(await queries.terms.find(1)).toBeUndefined();
  expect(await changes.terms.publish(version(1), summary(1))).toBeDefined();
  // Of two authors of the same version one is refused, and changes nothing.
  const both = [version(2), { ...version(2), userAgreement: "Another" }];
  const published = await Promise.all(both.map((each) => changes.terms.publish(each, summary(2))));
  expect(published.filter((options) => options === undefined)).toHaveLength(1);
  const stored = (await queries.options.all()).find(({ key }) => key === TERMS_SUMMARY);
  expect(termsSummary.parse(JSON.parse(stored?.value ?? ""))).toEqual(summary(2));

  expect(await queries.terms.acceptedBy(user.id)).toBeUndefined();
  await changes.terms.accept(user.id, 1, 500);
  await changes.terms.accept(user.id, 2, 600);
  await changes.terms.accept(user.id, 2, 700);
  expect(await queries.terms.acceptedBy(user.id)).toEqual({ version: 2, acceptedAt: 600 });
  expect(await queries.terms.acceptances(user.id, 9)).toEqual([
    { version: 2, acceptedAt: 600 },
    { version: 1, acceptedAt: 500 },
  ]);
  const { asksAgain, author, ...first } = version(1);
  expect(await queries.terms.find(1)).toEqual(first);
  expect(await queries.terms.page(0, 9)).toEqual([
    expect.objectContaining({ id: 2, asksAgain: false, author, acceptances: 1 }),
    expect.objectContaining({ id: 1, asksAgain, userAgreement: first.userAgreement, acceptances: 1 }),
  ]);
  expect(await queries.terms.page(1, 9)).toHaveLength(1);
  await close();
  await store.remove();
});
