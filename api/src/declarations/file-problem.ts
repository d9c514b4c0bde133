/** Why a file of declarations is not used. */
export interface FileProblem {
  readonly file: string;
  readonly line: number;
  readonly message: string;
}
