/** What the doctor says of the machine and the configuration; the books have faults of their own (DataFault). */
export interface Remark {
  /** Whether something does not work, or soon will not; else it is for the operator to know. */
  isFault: boolean;
  text: string;
}
