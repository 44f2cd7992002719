import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * The order of test files. vitest starts the largest files first, because they usually take longest.
 * Property tests take long although their files are small: they start before all others, so that no
 * worker still runs one when the others have nothing left.
 */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification): boolean => moduleId.endsWith('property.test.ts');
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}
