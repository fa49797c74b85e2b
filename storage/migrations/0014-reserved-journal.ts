/** Whether the files of the journal were made with free space behind their records (storage/journal/free-space.ts). */
export const reservedJournal = {
  name: "0014-reserved-journal",
  sql: `
ALTER TABLE journal_state ADD COLUMN is_reserved INTEGER NOT NULL DEFAULT 0;
`,
};
