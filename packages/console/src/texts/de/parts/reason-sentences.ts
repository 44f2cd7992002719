import { requestSentences } from './request-sentences.ts';
import { workSentences } from './work-sentences.ts';

/**
 * The sentences of reasons with details in German, by the English ones. `{1}`, `{2}` and `{3}` are
 * the details. The notes on the columns of an import are here, too.
 */
export const sentences: Readonly<Record<string, string>> = {
  // The file of an import
  'The file is compressed with gzip twice.': 'Die Datei ist zweimal mit gzip komprimiert.',
  'Send it compressed once or not at all.': 'Senden Sie sie einmal oder gar nicht komprimiert.',
  'The file is a spreadsheet or another ZIP archive.': 'Die Datei ist eine Tabelle oder ein anderes ZIP-Archiv.',
  'The file is an old spreadsheet.': 'Die Datei ist eine alte Tabelle.',
  'The file is a PDF.': 'Die Datei ist ein PDF.',
  'Save it as CSV.': 'Speichern Sie sie als CSV.',
  'Line {1} of the file is not valid UTF-8.': 'Zeile {1} der Datei ist kein gültiges UTF-8.',
  'Save the file as UTF-8, or name its encoding in "encoding", such as windows-1252.':
    'Speichern Sie die Datei als UTF-8, oder nennen Sie ihre Kodierung in "encoding", zum Beispiel windows-1252.',
  'The file is not valid {1} text.': 'Die Datei ist kein gültiger Text in {1}.',
  'Save it as UTF-8, or name its encoding in "encoding".':
    'Speichern Sie sie als UTF-8, oder nennen Sie ihre Kodierung in "encoding".',
  'The file begins with the byte order mark of {1}, but "encoding" is {2}.':
    'Die Datei beginnt mit der Byte-Reihenfolge-Markierung von {1}, aber "encoding" ist {2}.',
  'Leave the encoding out.': 'Lassen Sie die Kodierung weg.',
  'The file looks like UTF-16 without a byte order mark.':
    'Die Datei sieht aus wie UTF-16 ohne Byte-Reihenfolge-Markierung.',
  'Save it as UTF-8, or send "encoding": "{1}".': 'Speichern Sie sie als UTF-8, oder senden Sie "encoding": "{1}".',

  // The room for the files of an import
  'The file store has no space left for the file of failures.':
    'Der Dateispeicher hat keinen Platz mehr für die Datei mit den Fehlern.',
  'The file of failures was not stored.': 'Die Datei mit den Fehlern wurde nicht gespeichert.',
  'Valid rows are not affected.': 'Gültige Zeilen sind nicht betroffen.',
  'Nothing was imported.': 'Es wurde nichts importiert.',

  // The header and the columns
  'The first row of the file cannot be read because its quotes are not paired.':
    'Die erste Zeile der Datei ist nicht lesbar, weil ihre Anführungszeichen nicht paarweise sind.',
  'Write a quote inside a cell twice, and put the cell in quotes.':
    'Schreiben Sie ein Anführungszeichen in einer Zelle doppelt, und setzen Sie die Zelle in Anführungszeichen.',
  'The first row does not end within {1} KiB.': 'Die erste Zeile endet nicht innerhalb von {1} KiB.',
  'It must contain the names of the columns.': 'Sie muss die Namen der Spalten enthalten.',
  'The file has {1} columns.': 'Die Datei hat {1} Spalten.',
  'The maximum is {1}.': 'Höchstens {1} sind möglich.',
  'The objects of the file have more than {1} different keys.':
    'Die Objekte der Datei haben mehr als {1} verschiedene Schlüssel.',
  'The JSON cells have more than {1} different keys.': 'Die JSON-Zellen haben mehr als {1} verschiedene Schlüssel.',
  'The JSON cells of the column "{1}" have more than {2} different keys.':
    'Die JSON-Zellen der Spalte "{1}" haben mehr als {2} verschiedene Schlüssel.',
  'The name of the column "{1}" has more than {2} characters.': 'Der Name der Spalte "{1}" hat mehr als {2} Zeichen.',
  'The name of the column "{1}" contains U+0000 or half of a surrogate pair.':
    'Der Name der Spalte "{1}" enthält U+0000 oder ein halbes Surrogatpaar.',
  'Rename the column.': 'Benennen Sie die Spalte um.',
  'Two columns have the same name: "{1}".': 'Zwei Spalten haben denselben Namen: "{1}".',
  'Rename one in the file, or leave both out with null in "columns".':
    'Benennen Sie eine in der Datei um, oder lassen Sie beide mit null in "columns" weg.',
  'Rename one in the file, or leave one out with null in "columns".':
    'Benennen Sie eine in der Datei um, oder lassen Sie eine mit null in "columns" weg.',
  'Two columns have the same meaning: "{1}".': 'Zwei Spalten haben dieselbe Bedeutung: "{1}".',
  'Rename one, or leave one out with "columns".': 'Benennen Sie eine um, oder lassen Sie eine mit "columns" weg.',
  '{1} is not a column of the file.': '{1} ist keine Spalte der Datei.',
  '{1} is not a field or an attribute of the account.': '{1} ist kein Feld und kein Attribut des Kontos.',
  'The column "{1}" cannot be written to {2}.': 'Die Spalte "{1}" lässt sich nicht in {2} schreiben.',
  '{1} cannot be written.': '{1} lässt sich nicht schreiben.',
  'Did you mean {1}?': 'Meinten Sie {1}?',
  'The account has no field or attribute for the column {1}.':
    'Das Konto hat für die Spalte {1} kein Feld und kein Attribut.',
  'The account has no field or attribute for the columns {1}.':
    'Das Konto hat für die Spalten {1} keine Felder und keine Attribute.',
  'The file looks like an export of {1}: send "preset": "{2}".':
    'Die Datei sieht aus wie ein Export von {1}: Senden Sie "preset": "{2}".',
  'Map it in "columns", or send "unknown_columns": "skip" or "create".':
    'Ordnen Sie sie in "columns" zu, oder senden Sie "unknown_columns": "skip" oder "create".',
  'Map them in "columns", or send "unknown_columns": "skip" or "create".':
    'Ordnen Sie sie in "columns" zu, oder senden Sie "unknown_columns": "skip" oder "create".',
  'An attribute cannot have the name {1}.': 'Ein Attribut kann nicht so heißen: {1}.',
  'A name begins with a letter and has up to 64 letters, digits and underscores.':
    'Ein Name beginnt mit einem Buchstaben und hat bis zu 64 Buchstaben, Ziffern und Unterstriche.',
  'Map these columns in "columns".': 'Ordnen Sie diese Spalten in "columns" zu.',
  'The account has {1} of {2} attributes, and the file would add {3}.':
    'Das Konto hat {1} von {2} Attributen, und mit der Datei kämen {3} hinzu.',
  'Leave some columns out with "columns".': 'Lassen Sie einige Spalten mit "columns" weg.',
  'No column identifies the contacts to update.': 'Keine Spalte sagt, welche Kontakte geändert werden.',
  'Add a column with the primary key {1}, or with EMAIL, MOBILE or CONTACT_ID.':
    'Fügen Sie eine Spalte mit dem Primärschlüssel {1} hinzu, oder mit EMAIL, MOBILE oder CONTACT_ID.',
  'No column has the primary key of the account, {1}.': 'Keine Spalte hat den Primärschlüssel des Kontos, {1}.',
  'Add it, or map a column to it in "columns".':
    'Fügen Sie sie hinzu, oder ordnen Sie ihm in "columns" eine Spalte zu.',

  // A value of a row
  'The value must not be blank': 'Der Wert darf nicht leer sein',
  'The value must not be blank.': 'Der Wert darf nicht leer sein.',
  'Send null to clear the field, or leave it out': 'Senden Sie null, um das Feld zu leeren, oder lassen Sie es weg',
  'The value must have at most {1} characters': 'Der Wert darf höchstens {1} Zeichen haben',
  'The value must not begin with "{1}", which the service uses itself':
    'Der Wert darf nicht mit "{1}" beginnen, weil der Dienst das selbst benutzt',
  'The value must be an e-mail address of at most 254 characters, such as {1}':
    'Der Wert muss eine E-Mail-Adresse mit höchstens 254 Zeichen sein, zum Beispiel {1}',
  'The value must be 6 to 15 digits with the country code, such as {1}':
    'Der Wert muss aus 6 bis 15 Ziffern mit Ländervorwahl bestehen, zum Beispiel {1}',
  'The value must not contain U+0000 or half of a surrogate pair.':
    'Der Wert darf weder U+0000 noch ein halbes Surrogatpaar enthalten.',
  'Remove this character': 'Entfernen Sie dieses Zeichen',
  'The value must be a string, number, boolean or null, not an object':
    'Der Wert muss ein Text, eine Zahl, true, false oder null sein, kein Objekt',
  'The value must be a string, number, boolean or null, not an array':
    'Der Wert muss ein Text, eine Zahl, true, false oder null sein, kein Array',
  'The value must be an integer from {1} to {2}': 'Der Wert muss eine ganze Zahl von {1} bis {2} sein',

  // The notes on columns
  'Left out, as requested.': 'Weggelassen, wie gewünscht.',
  'Each name is a list.': 'Jeder Name ist eine Liste.',
  'Lists that do not exist are created.': 'Listen, die es nicht gibt, werden angelegt.',
  'Its keys are read as columns.': 'Ihre Schlüssel werden wie Spalten gelesen.',
  'Left out: an update does not change the sign-up date.': 'Weggelassen: „Nur ändern“ ändert das Anmeldedatum nicht.',
  'The sign-up date of new contacts.': 'Das Anmeldedatum neuer Kontakte.',
  'Words such as true, yes and unsubscribed opt the contact out.':
    'Wörter wie true, yes und unsubscribed melden den Kontakt ab.',
  'Words such as false and subscribed change nothing.': 'Wörter wie false und subscribed ändern nichts.',
  'anonymous: the row may have no identity.': 'anonymous: Die Zeile braucht keine Identität.',
  'blacklisted: the contact is opted out of e-mail.': 'blacklisted: Der Kontakt wird von E-Mail abgemeldet.',
  'unconfirmed: the row fails.': 'unconfirmed: Die Zeile schlägt fehl.',
  'Other types change nothing.': 'Andere Typen ändern nichts.',
  'Left out: the service assigns this number.': 'Weggelassen: Der Dienst vergibt diese Nummer.',
  'To update contacts by it, name it in "columns".': 'Um Kontakte damit zu ändern, nennen Sie sie in "columns".',
  'Left out.': 'Weggelassen.',
  'To store it as the sign-up date of new contacts, map it in "columns".':
    'Soll sie das Anmeldedatum neuer Kontakte sein, ordnen Sie sie in "columns" zu.',
  'Left out: only the service writes this field.': 'Weggelassen: Nur der Dienst schreibt dieses Feld.',
  'Left out: set the lists in "audience_ids" when you create the import.':
    'Weggelassen: Nennen Sie die Listen in "audience_ids", wenn Sie den Import anlegen.',
  'Left out: contacts cannot be added to a segment.':
    'Weggelassen: Kontakte lassen sich nicht zu einem Segment hinzufügen.',
  'Its filter selects them.': 'Sein Filter wählt sie aus.',
  'Left out: only attributes can be in JSON cells.': 'Weggelassen: In JSON-Zellen können nur Attribute stehen.',
  'Left out: another column is written to {1}.': 'Weggelassen: Eine andere Spalte wird in {1} geschrieben.',
  'Left out: it shows why the row failed in an earlier import.':
    'Weggelassen: Sie sagt, warum die Zeile in einem früheren Import fehlgeschlagen ist.',
  'Left out: it marks a file with the formula guard of Roster.':
    'Weggelassen: Sie kennzeichnet eine Datei mit dem Formelschutz von Roster.',
  'Left out: the account has no such attribute.': 'Weggelassen: Das Konto hat kein solches Attribut.',

  // Values of a contact
  'The number has too many digits to be read exactly, so it was left out.':
    'Die Zahl hat zu viele Ziffern, um genau gelesen zu werden, und wurde deshalb weggelassen.',
  'is a number with too many digits to be read exactly.':
    'ist eine Zahl mit zu vielen Ziffern, um genau gelesen zu werden.',
  'Send it as a string': 'Senden Sie sie als Text',
  'Send it as a string.': 'Senden Sie sie als Text.',
  'must be a value of the data type text': 'muss ein Text sein',
  'must be a value of the data type long_text': 'muss ein langer Text sein',
  'must be a value of the data type number': 'muss eine Zahl sein',
  'must be a value of the data type boolean': 'muss true oder false sein',
  'must be a value of the data type date': 'muss ein Datum sein',
  'must be a value of the data type datetime': 'muss ein Datum mit Uhrzeit sein',
  'is the identity of a contact that already exists': 'ist die Identität eines Kontakts, den es schon gibt',
  ...requestSentences,
  ...workSentences,
};
