// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {Handler} from "./Handler.sol";

/// @dev The owner posts and applies too, and acts before every third action: makes validators of whom it
/// likes, sets fees under others' feet, pauses, gives the contracts away. No rule is bent for it.
contract MaliciousHandler is Handler {
    constructor() {
        agents.push(owner);
        humans.push(owner);
        _fund(owner);
        delete touched;
    }

    function _meddle() internal override {
        uint256 kind = _draw(30);
        if (kind < 2) _setPlatformFee();
        else if (kind < 6) _changePanel();
        else if (kind == 6) _setPause(ownerOf[address(escrow)], true);
        else if (kind == 7) _setPause(ownerOf[address(escrow)], false);
        else if (kind == 8) _offerOwnership(_owned());
        else if (kind == 9) _withdrawFromTreasury();
    }
}
