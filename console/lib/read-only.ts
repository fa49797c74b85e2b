import { createContext, useContext } from "react";

const Context = createContext(false);

/** Around a part of a page whose records this administrator's set of permissions may read and not change. */
export const ReadOnly = Context.Provider;

/** Whether actions that change records are left out here. The server refuses them anyway. */
export const useReadOnly = (): boolean => useContext(Context);
