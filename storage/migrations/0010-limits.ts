/** Limits of keys and users (docs/reference/limits.md). NULL and "" limit nothing. */
export const limits = {
  name: "0010-limits",
  sql: `
ALTER TABLE tokens ADD COLUMN models TEXT NOT NULL DEFAULT '';
ALTER TABLE tokens ADD COLUMN subnet TEXT NOT NULL DEFAULT '';
ALTER TABLE tokens ADD COLUMN rpm INTEGER;
ALTER TABLE tokens ADD COLUMN tpm INTEGER;
ALTER TABLE tokens ADD COLUMN concurrency INTEGER;
ALTER TABLE tokens ADD COLUMN daily_quota INTEGER;
ALTER TABLE tokens ADD COLUMN monthly_quota INTEGER;
ALTER TABLE users ADD COLUMN rpm INTEGER;
ALTER TABLE users ADD COLUMN tpm INTEGER;
ALTER TABLE users ADD COLUMN concurrency INTEGER;
ALTER TABLE users ADD COLUMN daily_quota INTEGER;
ALTER TABLE users ADD COLUMN monthly_quota INTEGER;
`,
};
