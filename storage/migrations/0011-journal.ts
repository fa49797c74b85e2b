/** How far the main file has taken over the journal of charges. */
export const journal = {
  name: "0011-journal",
  sql: `
CREATE TABLE journal_state (
  id INTEGER PRIMARY KEY CHECK (id = 1),
  newest_batch INTEGER NOT NULL
);
INSERT INTO journal_state (id, newest_batch) VALUES (1, 0);
`,
};
