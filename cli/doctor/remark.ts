/** The doctor's remark about the machine and the configuration; the data has faults of its own type (DataFault). */
export interface Remark {
  /** Whether something does not work, or soon will not; else it is for the operator to know. */
  isFault: boolean;
  text: string;
}
