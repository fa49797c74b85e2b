import { randomUUID } from "node:crypto";
import pg from "pg";
import { inject } from "vitest";
import type {} from "./start-postgres";

/** Asks something of a database by hand, beside what is tested. */
export const askDatabase = async (address: string, text: string): Promise<Record<string, unknown>[]> => {
  const client = new pg.Client({ connectionString: address });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
};

/** Another address on the tests' server. */
export const addressWith = (change: Partial<Pick<URL, "pathname" | "username" | "password">>): string =>
  Object.assign(new URL(inject("postgresAddress")), change).href;

/** Makes an empty database, which ends with the server. @returns its address. */
export const newDatabase = async (how = ""): Promise<string> => {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  await askDatabase(inject("postgresAddress"), `CREATE DATABASE ${name} ${how}`);
  return addressWith({ pathname: `/${name}` });
};
