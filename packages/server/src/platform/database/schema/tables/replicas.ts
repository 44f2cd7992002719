/** The single row that proves that a replica has the history of the primary. */
export interface HistoryMarksTable {
  one_row: boolean;
  timeline: string;
  marks: string[];
  written_at: Date[];
}
