/// Configurations and sentences that the rejection of other speech was trained on; none of them is measured with.
extension Domain {
    static let training = [kiosk, calendar, bank, warehouse]

    private static let kiosk = Domain(
        name: "kiosk",
        templates: [
            "*order {i would like} [a | one | two | three](count) $sizes(size) $dishes(dish)",
            "*order can i have {a} $dishes(dish) {with $extras(extra)} {please}",
            "*order give me $dishes(dish) and $drinks(drink)", "*drink i will take {a} {$sizes(size)} $drinks(drink)",
            "*add add [extra | more] $extras(extra)", "*remove no $extras(extra) {please}",
            "*remove take the $dishes(dish) off {the order}", "*combo make it a {$sizes(size)} menu",
            "*pay {i want to} pay {[with | by]} $payments(payment)", "*pay how much is it", "*pay the bill please",
            "*place eat [here | in | at home](where)", "*place take away", "*repeat what did i order",
            "*cancel cancel everything", "*done that is all {thank you}", "*menu show me the $menus(menu) menu",
            "*allergy is there [gluten | nuts | milk | soy](allergen) in the $dishes(dish)",
            "*receipt {do not} print {the} receipt", "*language speak [english | spanish | french](language)",
            "*table bring it to table [1..40](table)", "*help call [a waiter | somebody]",
        ],
        variables: """
            sizes = [small | medium | large]
            dishes = [cheeseburger | hamburger | chicken wrap | veggie burger | fish sandwich | caesar salad | fries | onion rings]
            drinks = [cola | orange juice | sparkling water | coffee | milkshake | iced tea]
            extras = [cheese | bacon | onions | pickles | ketchup | mayonnaise | jalapenos]
            payments = [cash | credit card | phone]
            menus = [breakfast | lunch | kids | dessert]
            """,
        nearMisses: [
            "give me a moment to think", "add my friend to the guest list", "no milk today for the cats",
            "i would like to go to the beach", "can i have your telephone number", "show me the emergency exit",
            "pay attention to the driver", "is there a pharmacy in this street", "eat your vegetables first",
            "bring it back to the library", "make it look like an accident", "take the dog off the sofa",
            "print the boarding pass", "speak to my manager about it", "how much is the rent",
            "what did i tell you", "call a taxi for my grandmother", "cancel the newspaper subscription",
            "the bill passed the senate", "that is all water under the bridge",
        ])

    private static let calendar: Domain = {
        let events = [
            "meeting", "dentist appointment", "lunch", "conference call", "workout", "birthday party", "interview",
            "piano lesson", "flight", "dinner reservation",
        ]
        let handled = events.flatMap { event in
            [
                "*create {please} [schedule | add] {a | the} [\(event)](event) {on $days(day)} {at [1..12](hour) o'clock}"
                    .replacing("{a | the}", with: "{[a | the]}"),
                "*move move {the | my} [\(event)](event) to $days(day)".replacing("{the | my}", with: "{[the | my]}"),
                "*cancel cancel {my} [\(event)](event) {on $days(day)}",
                "*when when is {my} [next](which) [\(event)](event)",
            ]
        }
        return Domain(
            name: "calendar",
            templates: handled + [
                "*agenda what is on my calendar {for $days(day)}",
                "*free am i free {on $days(day)} {in the $parts(part)}",
                "*remind remind me [1..45](minutes) minutes before {that}",
                "*invite invite $people(person) {and $people(person)}",
                "*travel book a [train | bus | plane](by) from $cities(from) to $cities(to)",
                "*travel i need to be in $cities(to) on $days(day)",
                "*hotel find {me} a hotel in $cities(city) {for [1..14](nights) nights}",
                "*weather how is the weather in $cities(city)",
                "*taxi get me a taxi to the [airport | station | hotel](place)",
                "*seat {i prefer} [window | aisle](seat) seat", "*join join the call",
                "*late tell them i am running late",
                "*decline decline {the invitation}", "*accept accept {the invitation}",
                "*note take a note {for $people(person)}", "*read read {me} my messages {from $people(person)}",
                "*week show [this | next | last](which) [week | month](span)",
                "*zone change the time zone to $cities(city)",
                "*quiet do not disturb {for [1..12](hours) hours}", "*done mark it as done",
            ],
            variables: """
                days = [monday | tuesday | wednesday | thursday | friday | saturday | sunday | today | tomorrow]
                parts = [morning | afternoon | evening]
                people = [laura | benjamin | charlotte | oliver | patricia | samuel]
                cities = [helsinki | berlin | madrid | chicago | toronto | singapore | dublin | vienna]
                """,
            nearMisses: [
                "move the piano to the other room", "cancel my gym membership", "when is the best time to plant roses",
                "what is on the kitchen table", "am i too late for the concert", "remind me of my childhood",
                "invite the whole neighbourhood", "book of the month club", "find a solution for the problem",
                "how is your mother doing", "get me out of this place", "i prefer to walk alone",
                "tell them a funny story", "take a deep breath", "read the instructions carefully",
                "show some respect please", "change the oil in the engine", "do not forget the umbrella",
                "mark bought a new guitar", "join the army", "the flight of the bumblebee",
                "add some salt to the water", "schedule of the local buses",
            ])
    }()

    private static let bank = Domain(
        name: "bank",
        templates: [
            "*balance what is my {$accounts(account)} balance",
            "*balance how much money {do i have} in {my} $accounts(account)",
            "*transfer [send | transfer] $amounts(amount) [dollars | euros](currency) to $payees(payee)",
            "*transfer move $amounts(amount) [dollars | euros](currency) from {my} $accounts(from) to {my} $accounts(to)",
            "*pay pay {my | the} $bills(bill) bill".replacing("{my | the}", with: "{[my | the]}"),
            "*block block my $cards(card) {immediately}",
            "*unblock unblock my $cards(card)", "*limit raise the limit of my $cards(card) {to $amounts(limit)}",
            "*pin change the pin {of my $cards(card)}",
            "*transactions show {me} {the} last [2..20](count) transactions",
            "*transactions show {me} {all} transactions over $amounts(amount)",
            "*statement send me the statement for $months(month)",
            "*atm where is the nearest [cash machine | branch](place)",
            "*rate what is the exchange rate {for $currencies(currency)}",
            "*loan apply for a [car | home | student](kind) loan", "*insurance do i have travel insurance",
            "*agent {let me} talk to an agent", "*fraud report a {suspicious} payment", "*logout log me out",
            "*buy buy [1..99](shares) shares of $stocks(stock)", "*sell sell all {my} shares {of $stocks(stock)}",
            "*standing stop the standing order to $payees(payee)",
            "*save put $amounts(amount) aside every [week | month](period)",
        ],
        variables: """
            accounts = [checking account | savings account | joint account | pension fund]
            amounts = [twenty | fifty | one hundred | two hundred fifty | five hundred | one thousand]
            payees = [my landlord | the tax office | michael | grandma | the electric company]
            bills = [phone | electricity | water | internet | rent]
            cards = [credit card | debit card]
            months = [january | february | march | april | may | june | july | august | september | october | november | december]
            currencies = [dollars | pounds | yen | swiss francs]
            stocks = [umbrella corporation | globex | initech | hooli]
            """,
        nearMisses: [
            "what is my horoscope", "how much money does a nurse make", "send flowers to my aunt",
            "transfer the patient to another ward", "move over a little", "pay no attention to him",
            "block the entrance with chairs", "raise the curtain slowly", "change the subject",
            "show me how to swim", "send me a postcard from italy", "where is the nearest bakery",
            "what is the capital of norway", "apply the paint with a brush", "do i have something on my face",
            "talk to the children about it", "report the weather forecast", "log on the fire",
            "buy a new pair of shoes", "sell the old bicycle", "stop the car at the corner",
            "put the kettle on", "the last time i saw paris", "all my friends are here",
        ])

    /// Large enough to be heard through a language model.
    private static let warehouse: Domain = {
        let goods = [
            "pallets", "cardboard boxes", "batteries", "light bulbs", "copper wire", "steel pipes", "paint buckets",
            "garden hoses", "power drills", "hammers", "wood screws", "door handles", "ladders", "extension cords",
            "fire extinguishers", "safety vests", "plastic sheets", "cement bags", "roof tiles", "window frames",
        ]
        let carriers = [
            "*pick pick [2..40](count) [X](item) from $shelves(shelf)", "*put put {the} [X](item) on $shelves(shelf)",
            "*count count {the} [X](item) {again}", "*report [X](item) are [damaged | missing | wet](state)",
            "*where where are the [X](item)", "*load load {the} [X](item) {onto truck [1..9](truck)}",
            "*order order more [X](item) from $suppliers(supplier)", "*label print labels for {the} [X](item)",
            "*move move {the} [X](item) to $zones(zone)", "*weigh weigh the [X](item)",
            "*return send the [X](item) back to $suppliers(supplier)",
            "*reserve reserve [5..50](count) [X](item) for $customers(customer)",
        ]
        return Domain(
            name: "warehouse",
            templates: goods.flatMap { item in carriers.map { $0.replacing("X", with: item) } },
            variables: """
                shelves = [shelf [1..60]]
                suppliers = [atlas trading | nordic supply | miller brothers | eastern metal]
                zones = [the loading area | receiving | quality control | cold storage | the front gate]
                customers = [harbor construction | city schools | green valley farm]
                """,
            nearMisses: [
                "pick a card from the deck", "put the baby to bed", "count me out this time",
                "where are the good old days", "load the dishwasher after dinner", "order a taxi for seven",
                "print money in the basement", "move your car please", "weigh the risks carefully",
                "send the kids to school", "reserve a table for two", "return of the king",
                "more coffee for the guests", "the batteries of my watch", "hammers and nails make noise",
                "safety comes first", "put the truck in the garage", "where did you put the scissors",
                "city schools are closed today", "the paint is still wet",
            ])
    }()

    /// Other sentences than ``unrelated``.
    static let unrelatedForTraining = [
        "it was the best of times", "the committee will publish its findings next month",
        "my grandfather used to tell us stories", "have you finished your homework yet",
        "there was nothing left in the fridge", "the orchestra played until midnight",
        "she speaks three languages fluently", "we ran out of gas on the highway",
        "the kids are playing in the backyard", "what time does the pharmacy open",
        "he fell asleep during the lecture", "this jacket does not fit me anymore",
        "the mountains look beautiful in winter", "could you tell me how to get downtown",
        "nobody told us about the delay", "i am allergic to peanuts", "the president gave a speech on television",
        "our flight was cancelled because of fog", "she painted the fence last weekend",
        "they argued about politics for hours", "the river froze over in january", "my phone battery is almost dead",
        "you look tired today", "we need more volunteers for the festival", "a stranger knocked on the door",
        "the judge dismissed the case", "i lost my wallet at the airport", "he plays tennis every wednesday",
        "the cake was too sweet for me", "scientists discovered a new species of frog", "how was your trip to canada",
        "she laughed at all his jokes", "the elevator is out of order again", "the lesson starts at nine",
        "do not forget to lock the door", "we watched the sunset from the pier", "that movie made me cry",
        "the company hired fifty new people", "his apartment is right above the bakery",
        "i need to buy a present for my wife", "good morning everybody", "thank you very much for your help",
        "no i do not think so", "yes that is correct", "okay see you later", "where have you been all day",
        "wait a second i am coming", "happy birthday to you", "it does not matter", "let me think about it",
        "turn left after the church", "the show must go on", "open your eyes", "stop it right now",
        "she said she would call back", "one two three four five", "who wants ice cream", "please sit down",
        "the quick brown fox jumps over the lazy dog", "to be or not to be that is the question",
    ]
}
