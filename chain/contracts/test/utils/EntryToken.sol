// SPDX-License-Identifier: MIT
pragma solidity 0.8.37;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// @dev A token that misbehaves when an account is charged. Calls to unknown functions, in
/// particular `permit`, succeed without effect.
contract EntryToken is ERC20 {
    enum Manner {
        Exact,
        NoReturn,
        TakesFee,
        GivesMore,
        MovesNothing,
        ReturnsFalse,
        ReturnsFalseButMoves,
        ReturnsShort,
        TakesFromTheEscrow,
        ChargesTwice
    }

    Manner public manner;

    constructor() ERC20("Entry", "ENTRY") {
        _mint(msg.sender, 1e30);
    }

    fallback() external {}

    function behave(Manner manner_) external {
        manner = manner_;
    }

    function transferFrom(address from, address to, uint256 amount) public override returns (bool) {
        if (manner == Manner.ReturnsFalse) return false;
        if (manner == Manner.MovesNothing) return true;
        super.transferFrom(from, to, amount);
        _tamper(from, to, amount);
        if (manner == Manner.ReturnsFalseButMoves) return false;
        if (manner == Manner.NoReturn) _answer(0);
        if (manner == Manner.ReturnsShort) _answer(31);
        return true;
    }

    /// @dev Adds or removes tokens in addition to the transferred amount.
    function _tamper(address from, address to, uint256 amount) private {
        if (manner == Manner.TakesFee) _burn(to, amount / 100);
        if (manner == Manner.GivesMore) _mint(to, 1);
        if (manner == Manner.TakesFromTheEscrow) _burn(to, balanceOf(to));
        if (manner == Manner.ChargesTwice) _transfer(from, to, amount);
    }

    function _answer(uint256 length) private pure {
        assembly ("memory-safe") {
            return(0, length)
        }
    }
}
