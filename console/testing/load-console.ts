/*
 * Loads every module of the console but the one that starts it, so that what runs while a module is loaded does not run
 * within the test that happens to need it first.
 */
import.meta.glob(
  ["../**/*.{ts,tsx}", "!../**/*.test.{ts,tsx}", "!../testing/**", "!../app/main.tsx", "!../vite.config.ts"],
  {
    eager: true,
  },
);
