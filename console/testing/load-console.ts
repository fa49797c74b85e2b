/*
 * Loads every module of the console except the entry, so that code which runs on loading does not run within the test
 * that needs it first.
 */
import.meta.glob(
  ["../**/*.{ts,tsx}", "!../**/*.test.{ts,tsx}", "!../testing/**", "!../app/main.tsx", "!../vite.config.ts"],
  {
    eager: true,
  },
);
