/**
 * Log lines leave for a file of their own. What is charged goes into `outbox` in the transaction that takes it; the lines
 * of before wait in `old_logs` until they are moved.
 *
 * `granted_quota` is all that was ever given and not taken back: quota = granted_quota − used_quota of a user,
 * remain_quota = granted_quota − taken_quota of a key (taken_quota leaves out what the key used while unlimited).
 * `unlogged_quota` is what a user used that the log does not know of, because its lines were deleted or never written.
 */
export const outbox = {
  name: "0003-outbox",
  sql: `
CREATE TABLE outbox (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  batch TEXT NOT NULL
);

ALTER TABLE users ADD COLUMN granted_quota INTEGER NOT NULL DEFAULT 0;
ALTER TABLE users ADD COLUMN unlogged_quota INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tokens ADD COLUMN granted_quota INTEGER NOT NULL DEFAULT 0;
ALTER TABLE tokens ADD COLUMN taken_quota INTEGER NOT NULL DEFAULT 0;
UPDATE users SET
  granted_quota = quota + used_quota,
  unlogged_quota = used_quota
    - coalesce((SELECT sum(logs.quota) FROM logs WHERE logs.user_id = users.id AND logs.type = 2), 0);
UPDATE tokens SET taken_quota = used_quota WHERE unlimited_quota = 0;
UPDATE tokens SET granted_quota = remain_quota + taken_quota;

ALTER TABLE logs RENAME TO old_logs;
DROP INDEX logs_user_time;
DROP INDEX logs_time;
`,
};
