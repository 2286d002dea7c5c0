/// A moment on a device's clock, as its lines write it.
struct DeviceTime {
  /// The last two digits of the year.
  let year: Int
  /// 1...12.
  let month: Int
  /// 1...31.
  let day: Int
  /// 0...23.
  let hour: Int
  /// 0...59.
  let minute: Int
  /// 0...59.
  let second: Int

  private static let monthNames = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]
  private static let secondsInADay = 86_400
  /// The Gregorian calendar begins anew after 400 years.
  private static let daysInACycle = 146_097

  /// So many seconds after the beginning of 2000.
  init(clockSeconds: Int) {
    let second = Self.remainder(clockSeconds, Self.secondsInADay)
    var day = Self.remainder((clockSeconds - second) / Self.secondsInADay, Self.daysInACycle)
    var year = 0
    while day >= Self.days(inYear: year) {
      day -= Self.days(inYear: year)
      year += 1
    }
    var month = 1
    while day >= Self.days(inMonth: month, of: year) {
      day -= Self.days(inMonth: month, of: year)
      month += 1
    }
    self.year = year % 100
    self.month = month
    self.day = day + 1
    hour = second / 3_600
    minute = second / 60 % 60
    self.second = second % 60
  }

  /// `02/24/18`: month, day, year.
  var numericDate: String {
    "\(TextLine.padded(month, 2))/\(TextLine.padded(day, 2))/\(TextLine.padded(year, 2))"
  }
  /// `07-Jan-04`: day, month, year.
  var namedDate: String {
    "\(TextLine.padded(day, 2))-\(Self.monthNames[month - 1])-\(TextLine.padded(year, 2))"
  }
  /// `11:24:54`.
  var timeOfDay: String {
    "\(TextLine.padded(hour, 2)):\(TextLine.padded(minute, 2)):\(TextLine.padded(second, 2))"
  }

  /// The number of a month by its name of three letters; nil where there is none.
  static func isMonthName(_ text: ArraySlice<UInt8>) -> Bool {
    monthNames.contains { $0.utf8.count == text.count && zip($0.utf8, text).allSatisfy { $0.isSameLetter(as: $1) } }
  }

  private static func remainder(_ value: Int, _ divisor: Int) -> Int {
    let remainder = value % divisor
    return remainder < 0 ? remainder + divisor : remainder
  }

  /// Years are counted from 2000, with which a cycle begins.
  private static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

  private static func days(inYear year: Int) -> Int { isLeap(year) ? 366 : 365 }

  private static func days(inMonth month: Int, of year: Int) -> Int {
    switch month {
    case 2: isLeap(year) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }
}
