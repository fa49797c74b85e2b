/**
 * What a key used that was not taken from its own balance: because it had no limit, or had no more when the answer was
 * charged. So used_quota = taken_quota + untaken_quota, always.
 */
export const untakenQuota = {
  name: "0012-untaken-quota",
  sql: `
ALTER TABLE tokens ADD COLUMN untaken_quota INTEGER NOT NULL DEFAULT 0;
UPDATE tokens SET untaken_quota = used_quota - taken_quota;
`,
};
